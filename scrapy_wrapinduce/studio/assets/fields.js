// The list of fields: rename, type, merge, drop.

import { $, chip, make } from "./server.js";

export function showFields(state, correct) {
  const lines = state.fields.map((field) => fieldLine(field, state, correct));
  $("fields").replaceChildren(
    ...(lines.length ? lines : [make("li", { className: "empty", textContent: "No fields yet: click a value." })]),
  );
  $("names").replaceChildren(...state.fields.map((field) => make("option", { value: field.name })));
}

function fieldLine(field, state, correct) {
  const share = make("span", { className: "share", textContent: `${Math.round(100 * field.coverage)}% · ${field.distinct} different` });
  const kind = make("select", { label: `Type of ${field.name}` }, ...kinds(field, state.types).map((type) => make("option", { textContent: type })));
  kind.value = field.type;
  kind.onchange = () => correct("type", { field: field.name, type: kind.value });
  const rename = make("button", { textContent: "Rename", type: "button", label: `Rename ${field.name}` });
  const merge = make("button", { textContent: "Merge", type: "button", label: `Merge ${field.name}` });
  const drop = make("button", { textContent: "Drop", type: "button", label: `Drop ${field.name}` });
  const line = make("li", {}, chip(field), share, make("span", { className: "tools" }, kind, rename, merge, drop));
  rename.onclick = () => ask(line, make("input", { value: field.name, label: `New name of ${field.name}` }), (to) => correct("rename", { field: field.name, to }));
  merge.onclick = () => {
    const others = state.fields.filter((other) => other.name !== field.name);
    const choice = make("select", { label: `Merge ${field.name} into` }, ...others.map((other) => make("option", { textContent: other.name })));
    ask(line, choice, (into) => correct("merge", { field: field.name, into }));
  };
  drop.onclick = () => correct("drop", { field: field.name });
  return line;
}

// A field that is merged into another shows that, and becomes one of its own again by another choice.
function kinds(field, types) {
  return types.includes(field.type) ? types : [field.type, ...types];
}

function ask(line, control, answer) {
  line.querySelector("form")?.remove();
  const form = make("form", {}, control, make("button", { textContent: "OK" }));
  form.onsubmit = (event) => {
    event.preventDefault();
    answer(control.value);
  };
  form.onkeydown = (event) => {
    if (event.key === "Escape") form.remove();
  };
  line.append(form);
  control.focus();
  control.select?.();
}
