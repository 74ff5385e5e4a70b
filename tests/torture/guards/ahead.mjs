// Loaded by `--import`: shifts the clock of a process by CLOCK_AHEAD_MS, as a machine's wrong clock does.
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0)
const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length) super(...given)
    else super(Real.now() + ahead)
  }
  static now() {
    return Real.now() + ahead
  }
}
