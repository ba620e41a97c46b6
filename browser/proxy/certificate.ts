/** A certificate for one run: made in memory, never written, worth nothing to anybody afterwards. */
import { createHash, X509Certificate } from "node:crypto";
import { generate } from "selfsigned";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
  /**
   * SHA-256 of the public key's SubjectPublicKeyInfo, base64: what a browser is told to accept, so that its checks of
   * all other certificates stay on.
   */
  readonly spkiHash: string;
}

/** For `localhost` and 127.0.0.1, valid for a day. */
export async function makeCertificate(now: Date): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(now.getTime() - DAY_MS),
    notAfterDate: new Date(now.getTime() + DAY_MS),
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return { key, cert, spkiHash: createHash("sha256").update(spki).digest("base64") };
}
