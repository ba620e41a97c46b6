/**
 * Binds the contract's abstract DOM to parse5: a raw response as a browser would build it with scripts off, with
 * declarative shadow roots attached.
 */
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { DomNode, ElementNode } from "../todo/contract/dom.ts";

export interface ParsedPage {
  /** The `html` element. */
  readonly root: ElementNode;
  /** What the parser repaired without a trace in the tree, and a reader would miss. */
  readonly faults: readonly ParseFault[];
}

/**
 * `duplicate-attribute`: only the first counts; `missing-doctype`: the page is shown in quirks mode; `too-deep`: what
 * lies deeper than browsers nest isn't read.
 */
export type ParseFault = "duplicate-attribute" | "missing-doctype" | "too-deep";

/** Blink nests elements no deeper and lays the rest flat (`kMaximumHTMLParserDOMTreeDepth`). */
const MOST_DEPTH = 512;

/** The elements that HTML lets have a shadow root, besides autonomous custom elements. */
const SHADOW_HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);

type Parse5Node = DefaultTreeAdapterTypes.ChildNode;
type Parse5Element = DefaultTreeAdapterTypes.Element;

function isElement(node: Parse5Node): node is Parse5Element {
  return "tagName" in node;
}

function isTemplate(node: Parse5Node): node is DefaultTreeAdapterTypes.Template {
  return node.nodeName === "template" && "content" in node;
}

/** The first `<template shadowrootmode>` among the children; a browser leaves further ones what they are. */
function shadowTemplate(element: Parse5Element): DefaultTreeAdapterTypes.Template | null {
  if (!element.tagName.includes("-") && !SHADOW_HOSTS.has(element.tagName)) return null;
  for (const child of element.childNodes) {
    if (isTemplate(child) && shadowMode(child) !== null) return child;
  }
  return null;
}

function shadowMode(template: DefaultTreeAdapterTypes.Template): "open" | "closed" | null {
  const mode = template.attrs.find(({ name }) => name === "shadowrootmode")?.value.toLowerCase();
  return mode === "open" || mode === "closed" ? mode : null;
}

/** How deep a node lies, and whom to tell where that is too deep. */
interface Depth {
  readonly level: number;
  readonly onTooDeep: () => void;
}

function bindAll(nodes: readonly Parse5Node[], except: Parse5Node | null, depth: Depth): DomNode[] {
  const bound: DomNode[] = [];
  for (const node of nodes) {
    if (node === except) continue;
    if (isElement(node) && depth.level >= MOST_DEPTH) depth.onTooDeep();
    else if (isElement(node)) bound.push(bind(node, { ...depth, level: depth.level + 1 }));
    else if (node.nodeName === "#text" && "value" in node) bound.push({ kind: "text", text: node.value });
  }
  return bound;
}

/** A closed root hides its host's children and shows nothing to a query: it is bound as an empty one. */
function bind(element: Parse5Element, depth: Depth): ElementNode {
  const template = shadowTemplate(element);
  const open = template !== null && shadowMode(template) === "open";
  return {
    kind: "element",
    name: element.tagName,
    attributes: element.attrs.map(({ name, value }) => [name, value] as const),
    children: bindAll(element.childNodes, template, depth),
    shadow: template === null ? null : open ? bindAll(template.content.childNodes, null, depth) : [],
    live: null,
  };
}

/** A whole document as the contract's DOM. Never throws: HTML has no syntax errors, only repairs. */
export function parsePage(html: string): ParsedPage {
  const faults = new Set<ParseFault>();
  const document = parse(html, {
    onParseError: ({ code }) => {
      if (code === "duplicate-attribute" || code === "missing-doctype") faults.add(code);
    },
  });
  const html5 = document.childNodes.find(
    (node): node is Parse5Element => isElement(node) && node.tagName === "html",
  );
  if (html5 === undefined) throw new TypeError("parse5 made a document without an html element");
  const root = bind(html5, { level: 1, onTooDeep: () => faults.add("too-deep") });
  return { root, faults: [...faults] };
}
