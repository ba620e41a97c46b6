import type { Todo } from "../../../todo/contract/data.ts";

/** The optional parts of an item: those it hasn't are absent. */
export function Parts({ todo }: { readonly todo: Todo }) {
  const { priority, due, tags, note, assignee } = todo;
  const hasLine = priority || due || tags || assignee;
  return (
    <>
      {hasLine && (
        <div class="todo-parts">
          {priority && (
            <span class="todo-priority" data-priority data-level={priority}>
              {priority}
            </span>
          )}
          {due && (
            <time data-due datetime={due.date}>
              {due.label}
            </time>
          )}
          {tags && (
            <ul class="todo-tags" aria-label="Tags">
              {tags.map((tag) => (
                <li key={tag} class="todo-tag" data-tag>
                  {tag}
                </li>
              ))}
            </ul>
          )}
          {assignee && (
            <span data-assignee>
              <span class="todo-initials">{assignee.initials}</span> {assignee.name}
            </span>
          )}
        </div>
      )}
      {note && (
        <p class="todo-note" data-note>
          {note}
        </p>
      )}
    </>
  );
}
