import type { Output } from '../../../contract/calls.ts'
import type { Answer } from '../../data/useCall.ts'

export type Dma = Output<'dma.list'>['dmas'][number]
/** The market areas while they load. */
export type Dmas = Pick<Answer<Output<'dma.list'>>, 'data' | 'error' | 'retry'>

/** The specification's presets (projects-area 9): the number of largest areas, null for all. */
export const PRESETS = [
  { label: 'Top 10', size: 10 },
  { label: 'Top 25', size: 25 },
  { label: 'Top 50', size: 50 },
  { label: 'All DMAs', size: null },
] as const

/** The area codes in a preset. */
export const presetCodes = (dmas: readonly Dma[], { size }: (typeof PRESETS)[number]): string[] =>
  dmas.filter((dma) => size === null || (dma.rank !== null && dma.rank <= size)).map((dma) => String(dma.dma_code))

/** "Top 10", "Top 25", "Top 50" or "All DMAs" when the chosen set equals that preset (projects-area 4), else null. */
export function labelOfSet(dmas: readonly Dma[], chosen: readonly string[]): string | null {
  if (!chosen.length || !dmas.length) return null
  const set = new Set(chosen)
  const equal = PRESETS.find((preset) => {
    const codes = presetCodes(dmas, preset)
    return codes.length === set.size && codes.every((code) => set.has(code))
  })
  return equal?.label ?? null
}
