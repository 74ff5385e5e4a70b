import type { Output } from '../../../contract/calls.ts'
import { type PRESETS, presetOf } from '../../../contract/dmaPresets.ts'
import type { Answer } from '../../data/useCall.ts'

export type Dma = Output<'dma.list'>['dmas'][number]
/** The market areas, possibly still loading. */
export type Dmas = Pick<Answer<Output<'dma.list'>>, 'data' | 'error' | 'retry'>

/** Returns the area codes of a preset. */
export const presetCodes = (dmas: readonly Dma[], { size }: (typeof PRESETS)[number]): string[] =>
  dmas.filter((dma) => size === null || (dma.rank !== null && dma.rank <= size)).map((dma) => String(dma.dma_code))

/** Returns "Top 10", "Top 25", "Top 50" or "All DMAs" if the selection equals that preset (projects-area 4). */
export const labelOfSet = (dmas: readonly Dma[], chosen: readonly string[]): string | null =>
  presetOf(
    dmas.map((dma) => ({ code: String(dma.dma_code), rank: dma.rank })),
    chosen,
  )
