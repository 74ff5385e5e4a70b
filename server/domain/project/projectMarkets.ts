import { presetOf } from '../../../contract/dmaPresets.ts'
import { marketAreas } from '../../db/markets.ts'

/** A market area (DMA) in a record. */
interface Market {
  id: number
  name: string
}

let areas: ReadonlyMap<number, Market> | null = null

/** The market areas of a list of codes, in its order; unknown codes are dropped. */
function read(list: string): Market[] {
  areas ??= new Map(marketAreas().map(({ code, name }) => [code, { id: code, name }]))
  return list.split(',').flatMap((code) => (/^\d+$/.test(code) ? (areas!.get(Number(code)) ?? []) : []))
}

interface Read {
  markets: Market[]
  names: string[]
}

/** Parses each distinct list of codes once, because most projects share theirs. Don't mutate the results. */
export function marketReader(): (list: string) => Read {
  const known = new Map<string, Read>()
  return (list) => {
    const before = known.get(list)
    if (before) return before
    const markets = read(list)
    const made = { markets, names: markets.map((market) => market.name) }
    known.set(list, made)
    return made
  }
}

/** "Top 10", "Top 25", "Top 50" or "All DMAs" when codes are that preset, else null. */
export const marketPreset = (codes: readonly string[]): string | null =>
  presetOf(
    marketAreas().map(({ code, rank }) => ({ code: String(code), rank })),
    codes,
  )
