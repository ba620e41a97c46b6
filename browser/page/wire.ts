/** A page's elements on their way from the browser: short names, because there are thousands of them each time. */
import type { DomNode, ElementNode } from "../../todo/contract/dom.ts";

export interface WireElement {
  /** Tag, lower case. */
  readonly t: string;
  /** Attributes. */
  readonly a: readonly (readonly [name: string, value: string])[];
  /** Children. */
  readonly c: readonly WireNode[];
  /** Content of the open shadow root. */
  readonly s: readonly WireNode[] | null;
  /** Whether it passes `checkVisibility()`, or has no box of its own that could be seen (`display: contents`). */
  readonly v: boolean;
  /** Whether it has the focus among the elements of its root. */
  readonly f: boolean;
  /** Of a field or a box. */
  readonly i: { readonly checked: boolean; readonly value: string } | null;
}

/** An element, or the data of a text. */
export type WireNode = WireElement | string;

export interface WireDocument {
  readonly root: WireElement;
  /** Whether the document itself has the focus. */
  readonly focused: boolean;
}

/** The live page as the contract's DOM: its `html` element. */
export function bindWire({ root, focused }: WireDocument): ElementNode {
  return bindElement(root, focused);
}

function bindElement({ t, a, c, s, v, f, i }: WireElement, documentFocused: boolean): ElementNode {
  const bindAll = (nodes: readonly WireNode[]): DomNode[] =>
    nodes.map((node) =>
      typeof node === "string" ? { kind: "text", text: node } : bindElement(node, documentFocused),
    );
  return {
    kind: "element",
    name: t,
    attributes: a,
    children: bindAll(c),
    shadow: s === null ? null : bindAll(s),
    live: {
      checked: i?.checked ?? false,
      value: i?.value ?? "",
      visible: v,
      focused: f && documentFocused,
    },
  };
}
