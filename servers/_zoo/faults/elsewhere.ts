/** Servers whose work is done by somebody else, whom nobody pins or samples. */
import net from "node:net";
import type { Fault } from "../fault.ts";

export const ELSEWHERE_FAULTS = {
  "asks-elsewhere": {
    what: "a connection to a server elsewhere, whose port is in ZOO_PEER",
    make: () => {
      const peer = net.connect(Number(process.env.ZOO_PEER), "127.0.0.1");
      peer.on("error", (error) => console.error(error));
      return {};
    },
  },
} satisfies Readonly<Record<string, Fault>>;
