// What a player does on the page of a match; tells which of it showed the turn that it should.
(async () => {
  const pause = () => new Promise((done) => setTimeout(done, 30));
  const board = () => document.querySelector(".board").outerHTML + document.getElementById("notes").outerHTML;
  const at = async (turn) => { location.replace("#" + turn); await pause(); return board(); };
  const press = (key) => () => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const click = (go) => () => document.querySelector(`[data-go=${go}]`).click();
  const last = document.querySelectorAll("#turns > li").length - 1;
  const seventh = await at(7), start = await at(0), end = await at(last);
  const tries = [
    ["right", 6, press("ArrowRight"), seventh], ["left", 8, press("ArrowLeft"), seventh],
    ["next", 6, click("next"), seventh], ["previous", 8, click("previous"), seventh],
    ["first", 5, click("first"), start], ["home", 5, press("Home"), start],
    ["last", 5, click("last"), end], ["end", 5, press("End"), end],
  ];
  const right = [];
  for (const [name, from, act, shown] of tries) {
    await at(from);
    act();
    await pause();
    if (board() === shown && shown !== (await at(from))) right.push(name);
  }
  const report = document.createElement("output");
  report.textContent = right.join(" ");
  document.body.append(report);
})();
