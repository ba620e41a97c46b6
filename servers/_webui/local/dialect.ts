/**
 * Templates as checkouts read them. Two things of the released compiler and renderer (3.0.4) are otherwise in the
 * repository (0.0.25): an attribute without a value is dropped where it stands on a component, and one whose value
 * isn't there is written empty instead of left out. What is written here means the same in both.
 */

/** A component's attribute that is there without a value. */
const BARE_ATTRIBUTE = /(<todo-app\b[^>]*?) (data-todo-app)(?=[ >])/g;
/** An element whose last attribute may be left out. */
const OPTIONAL_ATTRIBUTE = /<(\w+)([^>]*?) (aria-current)="\{\{([\w.]+)\}\}">([^<]*)<\/\1>/g;

/** The value of the optional attribute where it is there. */
const PRESENT = "page";

export function forCheckout(template: string): string {
  return template
    .replaceAll(BARE_ATTRIBUTE, '$1 $2="$2"')
    .replaceAll(
      OPTIONAL_ATTRIBUTE,
      (_, tag: string, attributes: string, name: string, condition: string, content: string) =>
        `<if condition="${condition}"><${tag}${attributes} ${name}="${PRESENT}">${content}</${tag}></if>` +
        `<if condition="!${condition}"><${tag}${attributes}>${content}</${tag}></if>`,
    );
}
