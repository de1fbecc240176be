// Talking to the studio's server, and making elements.

const token = document.querySelector("meta[name=token]").content;

export const $ = (id) => document.getElementById(id);

export async function call(path, body) {
  const options = { headers: { "X-Token": token } };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  const response = await fetch(`/api/${path}`, options);
  const data = await response.json().catch(() => ({ error: "refused: open the studio again" }));
  if (!response.ok) throw new Error(data.error);
  return data;
}

export function query(path, values) {
  return call(`${path}?${new URLSearchParams(values)}`);
}

// Elements are made, never written as HTML: whatever a page says stays text.
export function make(tag, properties = {}, ...children) {
  const { label, ...own } = properties;
  const element = Object.assign(document.createElement(tag), own);
  if (label) element.setAttribute("aria-label", label);
  element.append(...children);
  return element;
}

// A name may break where its words end.
export function chip(field) {
  const words = field.name.split(/(?<=[_.])/).flatMap((word) => [word, document.createElement("wbr")]);
  const element = make("span", { className: "chip" }, ...words);
  element.style.setProperty("--hue", field.hue);
  return element;
}

// Addresses without what all of them share: the site is known.
export function short(name) {
  return name.replace(/^https?:\/\/[^/]+(?=\/.)/, "");
}

export function options(select, names, chosen) {
  select.replaceChildren(...names.map((name, value) => make("option", { value, textContent: name })));
  select.value = chosen;
}

// A page in its frame, which runs no scripts: what is clicked in it is heard here.
export async function showIn(frame, html) {
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  frame.srcdoc = html;
  await loaded;
  // Forms and links of the page lead nowhere.
  for (const kind of ["click", "submit", "auxclick"]) {
    frame.contentDocument.addEventListener(kind, (event) => event.preventDefault());
  }
}
