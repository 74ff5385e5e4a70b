import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Layout, type Pane, panesOf, placeOf, shownIn } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { paneTitle } from '../routing/tabs.ts'
import { type Announcement, announcementAtom } from '../workspace/announce.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'
import { usePaneTitles } from './paneTitles.ts'

/** How long (ms) a pane's name may arrive after the pane. */
const NAMED_AFTER = 800

/** Announces what happens while the focus stays: a column opened beside, moved or linked, or another record. */
export function Announcer() {
  const layout = useAtomValue(layoutAtom)
  const spoken = useAtomValue(announcementAtom)
  const titleOf = usePaneTitles()
  const before = useRef(layout)
  const latest = useRef(titleOf)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Pending announcements in order; a later one about the same thing replaces the earlier one. */
  const pending = useRef(new Map<string, Announcement>())
  const [announced, setAnnounced] = useState('')
  latest.current = titleOf
  const later = useCallback(({ about, text: tell }: Change) => {
    pending.current.delete(about)
    pending.current.set(about, tell)
    const announceNext = () => {
      const [next] = pending.current
      if (!next) return
      const [about, tell] = next
      pending.current.delete(about)
      const words = tell(latest.current)
      // Repeated text is announced only if it differs.
      setAnnounced((last) => (last === words ? `${words}\u00a0` : words))
      timer.current = setTimeout(announceNext, NAMED_AFTER)
    }
    clearTimeout(timer.current)
    timer.current = setTimeout(announceNext, NAMED_AFTER)
  }, [])
  useEffect(() => {
    const change = changed(before.current, layout)
    before.current = layout
    if (change) later(change)
  }, [layout, later])
  const shown = shownIn(layout.columns[layout.active]!)
  const title = titleOf(shown)
  const named = useRef({ path: '', title })
  useEffect(() => {
    const last = named.current
    const path = `${shown.id} ${pathOf(shown)}`
    named.current = { path, title }
    // A record opened by URL was announced by its id; its name arrives with its response.
    if (last.path === path && last.title !== title && last.title === paneTitle(match(shown.ref), null))
      later({ about: shown.id, text: (titleOf) => `${titleOf(shown)}.` })
  }, [shown, title, later])
  useEffect(() => {
    if (spoken) later({ about: 'key', text: spoken.announcement })
  }, [spoken, later])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <p role="status" data-announcer="" className="sr-only">
      {announced}
    </p>
  )
}

/** Ignores filters and positions, which change by themselves. */
const pathOf = ({ ref }: Pane) => ref.split('?', 1)[0]!

interface Change {
  about: string
  text: Announcement
}

function changed(before: Layout, after: Layout): Change | null {
  if (before.linked !== after.linked)
    return { about: 'link', text: () => (after.linked ? 'The columns are linked.' : 'The columns are unlinked.') }
  const known = new Map(panesOf(before).map((pane) => [pane.id, pathOf(pane)]))
  const beside = after.columns.findIndex((column, at) => {
    const shown = shownIn(column)
    return !after.linked && at !== after.active && known.get(shown.id) !== pathOf(shown)
  })
  if (beside >= 0)
    return {
      about: `column ${beside + 1}`,
      text: (titleOf) => `${titleOf(shownIn(after.columns[beside]!))} opened beside, in column ${beside + 1}.`,
    }
  const pane = shownIn(after.columns[after.active]!)
  const from = placeOf(before, pane.id)
  const same = panesOf(before).length === panesOf(after).length
  const came = from && same && before.columns[from.column]!.id !== after.columns[after.active]!.id
  if (came && before.active === from.column && shownIn(before.columns[from.column]!).id === pane.id)
    return { about: pane.id, text: (titleOf) => `${titleOf(pane)} moved to column ${after.active + 1}.` }
  const columns = (of: Layout) => of.columns.map(({ id }) => id).join()
  if (before.active !== after.active && columns(before) === columns(after))
    return { about: 'focus', text: (titleOf) => `Column ${after.active + 1} of ${after.columns.length}: ${titleOf(pane)}.` }
  return null
}
