/** What TypeScript alone knows of a single-file component; the folder's `typecheck` reads them whole. */
declare module "*.vue" {
  import type { DefineComponent } from "vue";

  const component: DefineComponent;
  export default component;
}
