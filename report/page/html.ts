/** HTML by construction: what is put into a template is text, unless it is HTML that was made here. */

/** Text that is markup, and goes into a page as it is. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[];

/** A template of markup; strings and numbers in it are escaped, lists are joined, null and false are nothing. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { markup: literals.reduce((text, literal, index) => text + markupOf(pieces[index - 1]) + literal) };
}

/** Markup that was made by somebody who escapes, such as the chart library; never anything of a report. */
export function trusted(markup: string): Html {
  return { markup };
}

function markupOf(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return "";
  if (typeof piece === "object") return "markup" in piece ? piece.markup : piece.map(markupOf).join("");
  return escapeHtml(String(piece));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For an element's text and for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** An address that a link may lead to: the web's, or a file's beside the page; anything else is null. */
export function safeAddress(address: string): string | null {
  if (/^https?:\/\//i.test(address)) return address;
  return /^[\w.-]+$/.test(address) ? address : null;
}
