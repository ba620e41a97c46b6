/** What is used of the framework's client package. No registry has it: it comes with a linked checkout. */
declare module "@microsoft/webui-framework" {
  export class WebUIElement extends HTMLElement {
    /** Defines the element, once the page has brought its template. */
    static define(tagName: string): void;
    /** Takes over the server's markup. */
    connectedCallback(): void;
    disconnectedCallback(): void;
    /** Does at once what changes of properties have left to do. */
    $flushUpdates(): void;
    /** Dispatches an event that bubbles, out of a shadow root too. */
    $emit(name: string, detail?: unknown): boolean;
  }
  /** A decorator: makes a property of the prototype one that the template follows. */
  export function observable(prototype: object, name: string): void;
}
