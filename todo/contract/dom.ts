/**
 * A small abstract DOM, bound to a parser for raw responses and to the live page in the browser run, and the tree
 * that a person sees of it: shadow roots in place of their hosts' children, slots filled, no scripts, templates or
 * comments.
 */

/** Of one element, what only a running page knows. */
export interface LiveState {
  readonly checked: boolean;
  readonly value: string;
  readonly visible: boolean;
  readonly focused: boolean;
}

export interface ElementNode {
  readonly kind: "element";
  /** Lower case. */
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly DomNode[];
  /** Content of the open shadow root, declarative or live; null where there is none. */
  readonly shadow: readonly DomNode[] | null;
  /** Null in a raw response. */
  readonly live: LiveState | null;
}

export interface TextNode {
  readonly kind: "text";
  readonly text: string;
}

export type DomNode = ElementNode | TextNode;

/** An element in the tree as it is shown. */
export interface ShownElement {
  readonly kind: "element";
  readonly node: ElementNode;
  readonly name: string;
  readonly parent: ShownElement | null;
  readonly children: readonly (ShownElement | TextNode)[];
}

/**
 * Elements whose content isn't shown as text of the page, so that neither they nor it count. A stylesheet's link stands
 * in every shadow root that it styles, and has no box there.
 */
const INVISIBLE = new Set(
  "script style link meta template noscript textarea iframe object audio video canvas datalist noembed noframes".split(
    " ",
  ),
);

/** Value of an attribute, or null where it is absent. */
export function attribute(element: ElementNode | ShownElement, name: string): string | null {
  const { attributes } = "node" in element ? element.node : element;
  for (const [key, value] of attributes) {
    if (key === name) return value;
  }
  return null;
}

export function hasAttribute(element: ElementNode | ShownElement, name: string): boolean {
  return attribute(element, name) !== null;
}

/** Light children of a shadow host, and where that host itself stands, for the slots inside its root. */
interface SlotScope {
  readonly host: ElementNode;
  readonly outer: SlotScope | null;
  /** Names of the slots met so far: of those that share one, the first in tree order gets what it names. */
  readonly met: Set<string>;
}

function assigned(scope: SlotScope, slotName: string): readonly DomNode[] {
  if (scope.met.has(slotName)) return [];
  scope.met.add(slotName);
  return scope.host.children.filter((child) =>
    child.kind === "element" ? (attribute(child, "slot") ?? "") === slotName : slotName === "",
  );
}

function shownChildren(
  nodes: readonly DomNode[],
  parent: ShownElement,
  scope: SlotScope | null,
): (ShownElement | TextNode)[] {
  const shown: (ShownElement | TextNode)[] = [];
  for (const node of nodes) {
    if (node.kind === "text") {
      shown.push(node);
    } else if (node.name === "slot" && scope !== null) {
      const filling = assigned(scope, attribute(node, "name") ?? "");
      const filled = filling.some((child) => child.kind === "element" || child.text.trim() !== "");
      const content = filled
        ? shownChildren(filling, parent, scope.outer)
        : shownChildren(node.children, parent, scope);
      for (const child of content) shown.push(child);
    } else if (!INVISIBLE.has(node.name)) {
      shown.push(show(node, parent, scope));
    }
  }
  return shown;
}

function show(node: ElementNode, parent: ShownElement | null, scope: SlotScope | null): ShownElement {
  const children: (ShownElement | TextNode)[] = [];
  const element: ShownElement = { kind: "element", node, name: node.name, parent, children };
  const inner =
    node.shadow === null
      ? shownChildren(node.children, element, scope)
      : shownChildren(node.shadow, element, { host: node, outer: scope, met: new Set() });
  for (const child of inner) children.push(child);
  return element;
}

/** The tree as it is shown, below `root`: light children that no slot takes aren't in it. */
export function shownTree(root: ElementNode): ShownElement {
  return show(root, null, null);
}

/** All elements below and including `root`, in the order shown. */
export function descendants(root: ShownElement): ShownElement[] {
  const found: ShownElement[] = [];
  const visit = (element: ShownElement): void => {
    found.push(element);
    for (const child of element.children) {
      if (child.kind === "element") visit(child);
    }
  };
  visit(root);
  return found;
}

/**
 * All elements below and including `root`, in document order: shadow roots before light children, slotted or not,
 * and what isn't shown, such as scripts. Not the content of templates and of noscript.
 */
export function allElements(root: ElementNode): ElementNode[] {
  const found: ElementNode[] = [];
  const visit = (element: ElementNode): void => {
    found.push(element);
    if (element.name === "template" || element.name === "noscript") return;
    for (const children of [element.shadow ?? [], element.children]) {
      for (const child of children) {
        if (child.kind === "element") visit(child);
      }
    }
  };
  visit(root);
  return found;
}

/** Text as shown, nothing trimmed or collapsed. */
export function textOf(root: ShownElement): string {
  let text = "";
  for (const child of root.children) text += child.kind === "text" ? child.text : textOf(child);
  return text;
}

/** The nearest of `element` and its ancestors for which `test` holds. */
export function closest(
  element: ShownElement,
  test: (element: ShownElement) => boolean,
): ShownElement | null {
  for (let at: ShownElement | null = element; at !== null; at = at.parent) {
    if (test(at)) return at;
  }
  return null;
}
