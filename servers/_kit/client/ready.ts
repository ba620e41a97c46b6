/** Says that the app answers input everywhere. @param root the app's root, after its handlers are attached */
export function announceReady(root: HTMLElement): void {
  root.dataset.ready = "";
  performance.mark("todo:ready");
}
