import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo } from 'react'
import { store } from '../data/jotaiStore.ts'
import { comparisonOf } from '../routing/compareLayout.ts'
import { usePaneId } from './pane.tsx'
import { layoutAtom } from './workspaceState.ts'

/** Panes whose record failed to load; the others are compared without them. */
const failedAtom = atom<ReadonlySet<string>>(new Set<string>())

/** The compared panes, or null. Keeps its identity while nothing changes, so that typing a filter renders nothing. */
export const comparisonAtom = atom((get) => {
  const now = comparisonOf(get(layoutAtom), get(failedAtom))
  const text = JSON.stringify(now)
  if (text !== last.text) last = { text, now }
  return last.now
})
let last: { text: string; now: ReturnType<typeof comparisonOf> } = { text: 'null', now: null }

/** A pane's role in a comparison: baseline, compared, unable to follow, or none. */
export type Part = { is: 'baseline' | 'compared' } | { is: 'apart'; why: string } | null

/** Returns the role of the surrounding pane. */
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

/** True while columns are linked, even in a pane that failed and takes no part. */
export const useLinked = (): boolean => useAtomValue(linkedAtom)
const linkedAtom = atom((get) => get(layoutAtom).linked)

/** Excludes the pane from the comparison while `failed`: its record is missing or inaccessible. */
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
/** True while compared trends use days in field, by choice or automatically. */
export const showsDays = (): boolean => store.get(daysAtom)
/** Publishes the compared trends' axis, for the command that changes it. */
export const useShowsDays = (linked: boolean, days: boolean): void =>
  useEffect(() => {
    if (linked) store.set(daysAtom, days)
  }, [linked, days])
