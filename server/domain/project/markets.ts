import { marketAreas } from '../../db/markets.ts'

/** A market area (DMA) as records name it. */
export interface Market {
  id: number
  name: string
}

let areas: ReadonlyMap<number, Market> | null = null

/** The market areas that a list of codes names, each by its code and in the list's order; what is no market area is left out. */
function read(list: string): Market[] {
  areas ??= new Map(marketAreas().map(({ code, name }) => [code, { id: code, name }]))
  return list.split(',').flatMap((code) => (/^\d+$/.test(code) ? (areas!.get(Number(code)) ?? []) : []))
}

interface Read {
  markets: Market[]
  names: string[]
}

/**
 * Reads lists of codes, each text once: most projects of a list go to the same market areas, often to all 210. Rows share what comes back,
 * so nobody changes it.
 */
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
