import type { Dma } from './dma.ts'

/** Sorts market areas by rank, unranked ones last by name. */
export const byRank = (areas: readonly Dma[]): Dma[] =>
  [...areas].sort((a, b) => (a.rank ?? 999) - (b.rank ?? 999) || (a.dma_name < b.dma_name ? -1 : 1))

/** Parses a pasted list of areas into known codes and unknown text. */
export function readAreas(text: string, areas: readonly Dma[]): { codes: string[]; unknown: string[] } {
  const known = new Map(areas.flatMap((area) => [[String(area.dma_code), area] as const, [plain(area.dma_name), area] as const]))
  const codes = new Set<string>()
  const unknown: string[] = []
  const take = (piece: string): boolean => {
    const area = known.get(plain(piece))
    if (area) codes.add(String(area.dma_code))
    return area !== undefined
  }
  for (const line of text.split(/[\n\r\t;]+/)) {
    const piece = line.trim()
    // A line may list several areas; no area's name contains a comma.
    if (!piece || take(piece)) continue
    for (const part of piece.split(',')) if (part.trim() && !take(part)) unknown.push(part.trim())
  }
  return { codes: [...codes], unknown }
}

const plain = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, ' ')

/** Returns how many columns of 70 areas fit a width, in px. */
export const columnsAt = (width: number): number => (width >= 780 ? 3 : width >= 500 ? 2 : 1)
/** Returns rows per column, so that all 210 areas take three columns of 70. */
export const rowsFor = (areas: number, columns: number): number => Math.max(1, Math.ceil(areas / columns))
