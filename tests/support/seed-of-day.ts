/** A day's seed: the same all day, and another the next; the variable replays another day's. */
export const seedOfDay = (variable: `${string}_SEED`): number =>
  Number(process.env[variable]) || Math.floor(Date.now() / 86_400_000)

/** A fixed seed, so that a run is the same as the one before; the variable replays another. */
export const fixedSeed = (variable: `${string}_SEED`): number => Number(process.env[variable]) || 20_784
