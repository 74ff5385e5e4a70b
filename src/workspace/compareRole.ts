import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo } from 'react'
import { store } from '../data/jotaiStore.ts'
import { comparisonOf } from '../routing/linked.ts'
import { usePaneId } from './pane.tsx'
import { layoutAtom } from './workspaceState.ts'

/** Panes whose record could not be read: the rest is compared without them. */
const failedAtom = atom<ReadonlySet<string>>(new Set<string>())

/**
 * The compared panes, or null. Keeps its identity while nothing changes, so that typing a filter renders nothing again.
 */
export const comparisonAtom = atom((get) => {
  const now = comparisonOf(get(layoutAtom), get(failedAtom))
  const text = JSON.stringify(now)
  if (text !== last.text) last = { text, now }
  return last.now
})
let last: { text: string; now: ReturnType<typeof comparisonOf> } = { text: 'null', now: null }

/** What a pane is in a comparison: the baseline, one that is compared with it, one that can't come along, or none of them. */
export type Part = { is: 'baseline' | 'compared' } | { is: 'apart'; why: string } | null

/** The part of the pane around this component. */
export function usePart(): Part {
  const id = usePaneId()
  const comparison = useAtomValue(comparisonAtom)
  return useMemo(() => {
    if (!comparison || id === null) return null
    const at = comparison.members.indexOf(id)
    if (at >= 0) return { is: at === 0 ? 'baseline' : 'compared' }
    const apart = comparison.apart.find((one) => one.id === id)
    return apart ? { is: 'apart', why: apart.why } : null
  }, [comparison, id])
}

/** True while the columns are linked; also in a pane that failed, and takes no part. */
export const useLinked = (): boolean => useAtomValue(linkedAtom)
const linkedAtom = atom((get) => get(layoutAtom).linked)

/** Takes the pane out of the comparison while `failed` holds: its record is not there, or not for this person. */
export function useFailed(failed: boolean): void {
  const id = usePaneId()
  const set = useSetAtom(failedAtom)
  useEffect(() => {
    if (!failed || id === null) return
    set((all) => new Set(all).add(id))
    return () => set((all) => new Set([...all].filter((one) => one !== id)))
  }, [failed, id, set])
}

const daysAtom = atom(false)
/** True while the compared trends use days of field time, by choice or automatically. */
export const showsDays = (): boolean => store.get(daysAtom)
/** Names the axis of the compared trends, for the command that changes it. */
export const useShowsDays = (linked: boolean, days: boolean): void =>
  useEffect(() => {
    if (linked) store.set(daysAtom, days)
  }, [linked, days])
