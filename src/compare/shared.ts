import { atom, type Getter, useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { store } from '../data/jotaiStore.ts'
import { placeOf } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { comparisonAtom, type Part, usePart } from '../workspace/compareRole.ts'
import { usePaneId } from '../workspace/pane.tsx'
import { nameOf, namesAtom, paneStateAtom, paneStateOf } from '../workspace/paneState.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'

/** What compared panes share of one topic. */
export interface Shared<T> {
  part: Part
  /** All values so far, the baseline's first. Empty outside a comparison. */
  all: readonly T[]
  /** The first column's value; null in that column itself, and while it loads. */
  base: T | null
  /** The name of the first column's record. */
  baseName: string
}

type Values = Readonly<Record<string, unknown>>
const valuesAtom = atom<Readonly<Record<string, Values>>>({})

/**
 * Shares a pane's value of a topic with the compared panes. Pass the same object while nothing changes.
 * Panes load only their own figures; scales and differences come from the shared values.
 */
export function useShared<T>(topic: string, value: T | undefined): Shared<T> {
  const id = usePaneId()
  const part = usePart()
  const inIt = part?.is === 'baseline' || part?.is === 'compared'
  useEffect(() => {
    if (!inIt || id === null || value === undefined) return
    store.set(valuesAtom, (all) => (all[topic]?.[id] === value ? all : { ...all, [topic]: { ...all[topic], [id]: value } }))
  }, [inIt, id, topic, value])
  useEffect(() => {
    if (!inIt || id === null) return
    return () =>
      store.set(valuesAtom, (all) => {
        const { [id]: _, ...rest } = all[topic] ?? {}
        return { ...all, [topic]: rest }
      })
  }, [inIt, id, topic])

  const comparison = useAtomValue(comparisonAtom)
  const values = useAtomValue(useMemo(() => atom((get) => get(valuesAtom)[topic]), [topic]))
  const baseline = comparison?.members[0]
  const baseName = useAtomValue(useMemo(() => atom((get) => recordName(get, baseline)), [baseline]))
  return useMemo(() => {
    const found = inIt ? (comparison?.members ?? []).map((member) => values?.[member] as T | undefined) : []
    return {
      part,
      all: found.filter((one) => one !== undefined),
      base: part?.is === 'compared' ? (found[0] ?? null) : null,
      baseName,
    }
  }, [part, inIt, comparison, values, baseName])
}

function recordName(get: Getter, id: string | undefined): string {
  if (id === undefined) return ''
  const name = paneStateOf(get(paneStateAtom), id).subject?.name
  const ref = placeOf(get(layoutAtom), id)?.pane.ref
  return name ?? nameOf(get(namesAtom), ref ? match(ref) : null) ?? 'the first'
}

/** The crosshair of all compared panes: a label or day of one topic. */
interface Crosshair {
  topic: string
  at: string | number
}
const crosshairAtom = atom<Crosshair | null>(null)

/** Returns a topic's crosshair, shared by the compared panes, and its setter. */
export function useCrosshair<At extends string | number>(topic: string): [at: At | null, set: (at: At | null) => void] {
  const at = useAtomValue(
    useMemo(
      () =>
        atom((get) => {
          const crosshair = get(crosshairAtom)
          return crosshair?.topic === topic ? (crosshair.at as At) : null
        }),
      [topic],
    ),
  )
  const set = useMemo(
    () => (next: At | null) =>
      store.set(crosshairAtom, (now) =>
        next === null ? (now?.topic === topic ? null : now) : now?.topic === topic && now.at === next ? now : { topic, at: next },
      ),
    [topic],
  )
  return [at, set]
}

/** The shared view of compared maps: center in degrees, and zoom. */
export interface SharedView {
  centre: readonly [lng: number, lat: number]
  zoom: number
}
const viewAtom = atom<SharedView | null>(null)

/** Returns the compared maps' view (null until one of them moves) and its setter. */
export const useSharedView = (): [view: SharedView | null, show: (view: SharedView) => void] => [useAtomValue(viewAtom), showView]
const showView = (view: SharedView): void => store.set(viewAtom, view)

/** Clears crosshair and view for the next comparison. */
export function forgetPointers(): void {
  store.set(crosshairAtom, null)
  store.set(viewAtom, null)
}
