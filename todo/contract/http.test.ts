import assert from "node:assert/strict";
import { test } from "node:test";
import { isHashedName } from "./http.ts";

const HASHED = [
  "/assets/client-D4xK9_aZ.js",
  "/assets/client.8f3a91c2.css",
  // As Turbopack writes them: all thirteen characters are the hash.
  "/_next/static/chunks/0pm8hrksvnaq-.js",
  "/_next/static/chunks/turbopack-2u1d16houkiyo.js",
  "/_next/static/chunks/3cthb-4jf8kyq.css",
];
const PLAIN = [
  "/assets/client.js",
  "/assets/component-version.js",
  "/assets/my-client-part.js",
  "/assets/v2.js",
];

test("a name with a hash of the content is told from a plain one", () => {
  for (const name of HASHED) assert.ok(isHashedName(name), name);
  for (const name of PLAIN) assert.ok(!isHashedName(name), name);
});
