/** A day's seed: the same all day, and another the next; the variable replays another day's. */
export const seedOfDay = (variable: `${string}_SEED`): number =>
  Number(process.env[variable]) || Math.floor(Date.now() / 86_400_000)
