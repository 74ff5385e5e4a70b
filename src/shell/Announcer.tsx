import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { type Layout, type Pane, panesOf, placeOf, shownIn } from '../routing/layout.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'
import { usePaneTitles } from './paneTitles.ts'

/** A pane's name may come a moment after it, in ms. */
const NAMED_AFTER = 800

/** Says what happens to the columns while the focus stays where it is: opened beside, moved, linked. */
export function Announcer() {
  const layout = useAtomValue(layoutAtom)
  const titleOf = usePaneTitles()
  const before = useRef(layout)
  const latest = useRef(titleOf)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [said, setSaid] = useState('')
  latest.current = titleOf
  useEffect(() => {
    const tell = changed(before.current, layout)
    before.current = layout
    if (!tell) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSaid(tell(latest.current)), NAMED_AFTER)
  }, [layout])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <p role="status" data-announcer="" className="sr-only">
      {said}
    </p>
  )
}

/** Without filters and places, which change by themselves. */
const pathOf = ({ ref }: Pane) => ref.split('?', 1)[0]!

type Tell = (titleOf: ReturnType<typeof usePaneTitles>) => string

function changed(before: Layout, after: Layout): Tell | null {
  if (before.linked !== after.linked) return () => (after.linked ? 'The columns are linked.' : 'The columns are unlinked.')
  const known = new Map(panesOf(before).map((pane) => [pane.id, pathOf(pane)]))
  const beside = after.columns.findIndex((column, at) => {
    const shown = shownIn(column)
    return !after.linked && at !== after.active && known.get(shown.id) !== pathOf(shown)
  })
  if (beside >= 0) return (titleOf) => `${titleOf(shownIn(after.columns[beside]!))} opened beside, in column ${beside + 1}.`
  const pane = shownIn(after.columns[after.active]!)
  const from = placeOf(before, pane.id)
  const same = panesOf(before).length === panesOf(after).length
  const came = from && same && before.columns[from.column]!.id !== after.columns[after.active]!.id
  if (came && before.active === from.column && shownIn(before.columns[from.column]!).id === pane.id)
    return (titleOf) => `${titleOf(pane)} moved to column ${after.active + 1}.`
  return null
}
