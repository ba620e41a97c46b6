/** What TypeScript knows of a single-file component: its own compiler checks the rest. */
declare module "*.vue" {
  import type { DefineComponent } from "vue";

  const component: DefineComponent;
  export default component;
}
