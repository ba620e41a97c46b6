/** Whether a live page shows what the model says: its whole semantic state, its address, its document. Pure. */
import { allElements, type ElementNode, hasAttribute } from "../todo/contract/dom.ts";
import type { ModelView } from "../todo/contract/model.ts";
import { checkShown } from "../todo/contract/page-check.ts";
import { readPage } from "../todo/contract/page-state.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { condense, differs, problem } from "../todo/contract/problems.ts";
import type { PageReading } from "./page/instrument.ts";
import { bindWire } from "./page/wire.ts";

/** A title that the server gave, as it stands in the page's text. */
const SERVERS_TITLE = /Todo \d{3} at \d{4}-/;

/** Breaches between a reading and what the page must show; empty where it is right. @param documentId the first document's */
export function judgeReading(reading: PageReading, expected: ModelView, documentId: string): Problem[] {
  const html = bindWire(reading.document);
  const state = readPage(html);
  return condense([
    ...sameDocument(reading, documentId),
    ...differs("address", expected.address, reading.address),
    ...state.structure,
    ...(state.ready ? [] : [problem("ready", "data-ready on the app's root", "none")]),
    ...checkShown(state, expected),
    ...differs("titles-once", titlesExpected(expected), state.titlesInText),
    ...checkFocus(html, expected),
  ]);
}

function sameDocument({ documentId }: PageReading, first: string): Problem[] {
  return documentId === first ? [] : [problem("same-document", "the document of the start", "another one")];
}

/** Titles of the server's that the page's text holds: one an item shown, but for the one that is edited. */
function titlesExpected({ items, editing }: ModelView): number {
  return items.filter(({ id, title }) => id !== editing?.id && SERVERS_TITLE.test(title)).length;
}

/** An edit field has the focus for as long as it is there. */
function checkFocus(html: ElementNode, { editing }: ModelView): Problem[] {
  if (editing === null) return [];
  const fields = allElements(html).filter((element) => hasAttribute(element, "data-edit-input"));
  return fields.some(({ live }) => live?.focused === true)
    ? []
    : [problem("focus", `the edit field of ${editing.id} has the focus`, "it hasn't")];
}
