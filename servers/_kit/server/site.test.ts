import assert from "node:assert/strict";
import { test } from "node:test";
import { createRouter } from "./site.ts";

const route = createRouter(
  {
    adapter: "some",
    responseMode: "complete",
    runtime: "node",
    runtimeVersion: "1",
    pid: 1,
    frameworkVersion: "2",
    artifacts: [],
  },
  new Map([["/assets/a.js", { body: Buffer.from("a"), headers: { "content-type": "text/javascript" } }]]),
);

function status(method: string, target: string): number | "page" {
  const routed = route(method, target);
  return routed.kind === "page" ? "page" : routed.answer.status;
}

test("pages carry their filter and a well-formed nonce", () => {
  const page = (target: string) => {
    const routed = route("GET", target);
    assert(routed.kind === "page", target);
    return routed.page;
  };
  assert.deepEqual(page("/"), { filter: "all", nonce: "" });
  assert.deepEqual(page("/active?r=a1B2"), { filter: "active", nonce: "a1B2" });
  assert.deepEqual(page("/completed?x=1&r=abc&r=def"), { filter: "completed", nonce: "abc" });
  for (const query of ["?r=", "?r=%3Cb%3E", `?r=${"a".repeat(33)}`, "?rr=a", "?", "?r=a b"]) {
    assert.equal(page(`/${query}`).nonce, "", query);
  }
  assert.deepEqual(route("HEAD", "/"), route("GET", "/"));
});

test("other paths and other methods have fixed answers", () => {
  assert.equal(status("GET", "/assets/a.js"), 200);
  assert.equal(status("HEAD", "/assets/a.js"), 200);
  assert.equal(status("GET", "/bench/info"), 200);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    assert.equal(status(method, "/"), 405, method);
    assert.equal(status(method, "/assets/a.js"), 405, method);
  }
  for (const target of [
    "/nowhere",
    "//",
    "/active/",
    "/assets/",
    "/assets/../assets/a.js",
    "/assets/%2e%2e/server.js",
    "/assets/..%2fserver.js",
    "/assets/..\\server.js",
    "/assets/%00",
    "/assets/%",
    "/favicon.ico",
    "*",
    "http://127.0.0.1/",
  ]) {
    assert.equal(status("GET", target), 404, target);
  }
});
