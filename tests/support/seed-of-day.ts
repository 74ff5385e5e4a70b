/** The seed of a day: another one each day, the same all day; the variable of this name replays another day's. */
export const seedOfDay = (variable: `${string}_SEED`): number =>
  Number(process.env[variable]) || Math.floor(Date.now() / 86_400_000)
