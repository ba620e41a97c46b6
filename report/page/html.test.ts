import assert from "node:assert/strict";
import { test } from "node:test";
import { html, safeAddress, trusted } from "./html.ts";

test("what is put into a template is text", () => {
  const name = `<script>alert("1")</script> & 'more'`;
  assert.equal(
    html`<b title="${name}">${name}</b>`.markup,
    '<b title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</b>',
  );
});

test("markup goes in as it is, lists are joined, and null and false are nothing, but 0 is", () => {
  assert.equal(
    html`${[html`<i>1</i>`, 2]}${null}${false}${undefined}${0}${trusted("<hr>")}`.markup,
    "<i>1</i>20<hr>",
  );
});

test("a link leads to the web or to a file beside the page", () => {
  assert.equal(safeAddress("https://example.org/a?b"), "https://example.org/a?b");
  assert.equal(safeAddress("ssr-todo-official.json"), "ssr-todo-official.json");
  for (const address of [
    "javascript:alert(1)",
    "data:text/html,x",
    "../secret",
    "//example.org",
    "file:///etc",
  ]) {
    assert.equal(safeAddress(address), null, address);
  }
});
