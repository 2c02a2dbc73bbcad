"use strict";

// Goes through the turns of a match. The page holds the changes of each turn: `s` what comes to stand on which cells
// ("" for nothing), `f` the cells that it filled, `c` those that it changed otherwise, `n` what stands beside the board.
(() => {
  const steps = JSON.parse(document.getElementById("replay").textContent);
  const board = document.querySelector(".board");
  const byKey = (key) =>
    new Map([...board.querySelectorAll(`[data-${key}]`)].map((part) => [part.dataset[key], part]));
  const cells = byKey("cell");
  const marks = byKey("mark");
  const entries = [...document.querySelectorAll("#turns > li")];
  const list = document.getElementById("turns");
  const notes = document.getElementById("notes");
  const said = document.getElementById("said");
  const shown = document.getElementById("shown");
  const buttons = [...document.querySelectorAll("[data-go]")];
  const last = steps.length - 1;
  let turn = last;

  const asked = () => {
    const number = /^#(\d+)$/.exec(location.hash);
    return number ? Math.min(Number(number[1]), last) : last;
  };

  const standing = () => {
    const men = new Map();
    for (const step of steps.slice(0, turn + 1)) {
      for (const [cell, mark] of Object.entries(step.s ?? {})) {
        men.set(cell, mark);
      }
    }
    return men;
  };

  const draw = () => {
    const men = standing();
    const { f: filled = [], c: changed = [], n: lines = [] } = steps[turn];
    for (const [name, cell] of cells) {
      const codes = [men.get(name), filled.includes(name) && "filled", changed.includes(name) && "changed"];
      const parts = codes.filter((code) => marks.has(code)).map((code) => marks.get(code).cloneNode(true));
      cell.replaceChildren(...parts.flatMap((part) => [...part.childNodes]));
    }
    notes.replaceChildren(
      ...lines.map((line) => {
        const entry = document.createElement("li");
        entry.textContent = line;
        return entry;
      }),
    );
  };

  const tell = () => {
    const place = shown.dataset.words.replace("{turn}", turn).replace("{turns}", last);
    shown.textContent = place;
    entries.forEach((entry, number) => {
      const link = entry.querySelector("a");
      if (number === turn) {
        link.setAttribute("aria-current", "step");
        said.textContent = entry.querySelector(".what").textContent;
        list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
      } else {
        link.removeAttribute("aria-current");
      }
    });
    for (const button of buttons) {
      button.disabled = target(button.dataset.go) === turn;
    }
  };

  const target = (where) =>
    Math.min(Math.max({ first: 0, previous: turn - 1, next: turn + 1, last }[where], 0), last);

  const show = () => {
    turn = asked();
    draw();
    tell();
  };

  const go = (where) => location.replace(`#${target(where)}`);

  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const where = keys[event.key];
    if (where && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      go(where);
    }
  });
  buttons.forEach((button) => button.addEventListener("click", () => go(button.dataset.go)));
  window.addEventListener("hashchange", show);
  document.getElementById("controls").hidden = false;
  show();
})();
