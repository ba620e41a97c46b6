/** The components' templates are written for FAST's plugin; here they become what another client understands. */

/** What only a plugin's client understands; without a plugin WebUI would send it as it stands. */
const CLIENT_BINDING = / (?:@[\w-]+|f-ref)="[^"]*"/g;

/** @param plugin the one that the templates are compiled for; without one, plain elements take the page over */
export function forPlugin(template: string, plugin: string | undefined): string {
  if (plugin === undefined) return template.replaceAll(CLIENT_BINDING, "");
  return plugin === "webui" ? forFramework(template) : template;
}

/** WebUI's own framework: other names for references and events, and items that keep their elements by key. */
function forFramework(template: string): string {
  return template
    .replaceAll(' f-ref="', ' w-ref="')
    .replaceAll(/ (@[\w-]+)="\{(\w+)\((?:\$e)?\)\}"/g, ' $1="{$2(e)}"')
    .replaceAll('<for each="todo in todos"><li>', '<for each="todo in todos"><li key="{{todo.id}}">');
}
