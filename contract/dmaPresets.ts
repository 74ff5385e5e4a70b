/** The specification's presets (projects-area 9): the number of largest areas, null for all. */
export const PRESETS = [
  { label: 'Top 10', size: 10 },
  { label: 'Top 25', size: 25 },
  { label: 'Top 50', size: 50 },
  { label: 'All DMAs', size: null },
] as const

interface Area {
  code: string
  rank: number | null
}

/** Returns the preset with just these areas, "Top 10" to "Top 50" or "All DMAs" (projects-area 4); or null. */
export function presetOf(areas: readonly Area[], chosen: readonly string[]): string | null {
  if (!chosen.length || !areas.length) return null
  const set = new Set(chosen)
  const equal = PRESETS.find(({ size }) => {
    const codes = areas.filter(({ rank }) => size === null || (rank !== null && rank <= size)).map(({ code }) => code)
    return codes.length === set.size && codes.every((code) => set.has(code))
  })
  return equal?.label ?? null
}
