/** What the page's script adds to what can be read without it: sorting, filtering, and both in the address. */
export const SCRIPT = `
"use strict";
{
  const tables = [...document.querySelectorAll("table[data-name]")];
  const filters = document.querySelector("[data-filters]");
  const state = new URLSearchParams(location.hash.slice(1));
  const fields = { q: filters?.querySelector("[name=q]"), runtime: filters?.querySelector("[name=runtime]"), rankable: filters?.querySelector("[name=rankable]") };
  const cellValue = (row, index) => { const cell = row.cells[index]; const value = cell?.dataset.value; return value === undefined ? cell?.textContent ?? "" : value === "" ? null : Number(value); };
  const compare = (a, b) => a === null ? (b === null ? 0 : 1) : b === null ? -1 : typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en");

  function sort(table, index, direction) {
    const body = table.tBodies[0];
    const sign = direction === "descending" ? -1 : 1;
    const rows = [...body.rows];
    rows.sort((a, b) => { const [x, y] = [cellValue(a, index), cellValue(b, index)]; return x === null || y === null ? compare(x, y) : sign * compare(x, y); });
    body.append(...rows);
    [...table.tHead.rows[0].cells].forEach((cell, at) => at === index ? cell.setAttribute("aria-sort", direction) : cell.removeAttribute("aria-sort"));
  }

  function filter() {
    const text = (state.get("q") ?? "").toLowerCase();
    const runtime = state.get("runtime") ?? "";
    for (const row of document.querySelectorAll("tr[data-adapter]")) {
      const { adapter, runtime: own, rankable } = row.dataset;
      row.hidden = !adapter.toLowerCase().includes(text) || (runtime !== "" && own !== runtime) || (state.has("rankable") && rankable !== "true");
    }
  }

  function keep() { history.replaceState(null, "", "#" + state); }

  for (const table of tables) {
    [...table.tHead.rows[0].cells].forEach((cell, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => {
        const first = cell.dataset.better === "more" ? "descending" : "ascending";
        const now = cell.getAttribute("aria-sort");
        const direction = now === null ? first : now === "ascending" ? "descending" : "ascending";
        sort(table, index, direction);
        state.set("sort-" + table.dataset.name, index + "." + direction);
        keep();
      });
    });
    const [index, direction] = (state.get("sort-" + table.dataset.name) ?? "").split(".");
    if (/^\\d+$/.test(index) && Number(index) < table.tHead.rows[0].cells.length && (direction === "ascending" || direction === "descending")) sort(table, Number(index), direction);
  }

  if (filters) {
    filters.hidden = false;
    fields.q.value = state.get("q") ?? "";
    fields.runtime.value = state.get("runtime") ?? "";
    fields.rankable.checked = state.has("rankable");
    filters.addEventListener("input", () => {
      for (const name of ["q", "runtime"]) fields[name].value === "" ? state.delete(name) : state.set(name, fields[name].value);
      fields.rankable.checked ? state.set("rankable", "only") : state.delete("rankable");
      filter();
      keep();
    });
    filters.addEventListener("submit", (event) => event.preventDefault());
    filter();
  }
}
`;
