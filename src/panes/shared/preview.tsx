import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Subject } from '../../commands/subject.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { useCall } from '../../data/useCall.ts'
import type { FlatRows } from '../../list/flattenRows.ts'
import type { Cursor } from '../../list/useCursor.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { type ContentItem, ItemPreview, itemSubject } from './ContentItem.tsx'

const ZOOM = { step: 1.5, most: 8 } as const
/** The minimum ms between items in the URL: each renders the workspace, and React refuses fifty renders in a row. */
const LINK_MS = 150

/** Returns the next zoom level. */
export const zoomed = (now: number, by: 1 | -1): number =>
  Math.min(ZOOM.most, Math.max(1, by > 0 ? now * ZOOM.step : now / ZOOM.step))

interface Over {
  cursor: Cursor<ContentItem>
  shown: FlatRows<ContentItem>
  /** The list's filters and order. */
  filter: Readonly<Record<string, unknown>> | undefined
}
export interface Preview {
  isOpen: boolean
  /** The item; null while it loads. */
  item: ContentItem | null
  /** True if the item isn't at the cursor: commands act on `elsewhere`, or on nothing while it loads. */
  offCursor: boolean
  elsewhere: Subject | null
  /** The load error, with a retry. */
  loadError: Pick<ReturnType<typeof useCall<'content.get'>>, 'error' | 'retry'>
  zoom: number
  zoomBy(by: 1 | -1): void
  /** Opens an item's preview; null closes it. */
  show(id: number | null): void
  /** Call when a key moves the cursor; the preview shows the row it reaches. */
  follow(): void
}

/** The item in the link, previewed over a list. Keys move on from it, even past loaded rows (User Content). */
export function usePreview({ cursor, shown, filter }: Over): Preview {
  const { query, setQuery } = usePane()
  const { at, row, here, moveTo } = cursor
  const under = row?.row ?? null
  const id = /^[1-9]\d{0,9}$/.test(query.item ?? '') ? Number(query.item) : null
  const isOpen = id !== null
  /** A link's item, until the cursor reaches it or a key moves the cursor; from then on the preview is the cursor's. */
  const [sought, setSought] = useState(id)
  const [enlarged, setEnlarged] = useState({ of: id, level: 1 })
  /** IDs that the preview itself put into the link. */
  const own = useRef(new Set<number>())
  const linked = useRef(id)
  if (linked.current !== id) {
    linked.current = id
    if (id === null) own.current.clear()
    const from = id !== null && !own.current.has(id) ? id : null
    if (from !== sought) setSought(from)
  }
  const linkedAt = useRef(Number.NEGATIVE_INFINITY)
  const linking = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = useCallback(
    (next: number | null) => {
      // A link that is due must not open a preview again that was closed.
      clearTimeout(linking.current)
      if (next !== null) own.current.add(next)
      setSought(null)
      setQuery({ item: next })
    },
    [setQuery],
  )
  const follow = useCallback(() => setSought(null), [])

  const isUnder = sought === null || under?.id === sought
  useEffect(() => {
    if (isUnder) setSought(null)
  }, [isUnder])
  // Keys can outpace rendering, so the cursor may still be on its way.
  const reached = isOpen && sought === null && under !== null && under.id !== id && here().at === at ? under.id : null
  useEffect(() => {
    if (reached === null) return
    const link = () => {
      linkedAt.current = performance.now()
      show(reached)
    }
    const early = linkedAt.current + LINK_MS - performance.now()
    if (early <= 0) return link()
    linking.current = setTimeout(link, early)
    return () => clearTimeout(linking.current)
  }, [reached, show])

  const offCursor = isOpen && !isUnder
  const loaded = offCursor ? shown.indexOf(sought) : -1
  const place = useCall('content.place', offCursor && loaded < 0 && shown.length ? ({ ...filter, id: sought } as never) : null)
  const found = place.data?.data.id === sought && !place.stale ? place.data.data.index : null
  const index = loaded >= 0 ? loaded : offCursor ? found : null
  useEffect(() => {
    if (index !== null) moveTo(index)
  }, [index, moveTo])

  const read = useCall('content.get', offCursor ? { id: sought } : null, { fresh: true })
  const item = isUnder ? under : (read.data?.data ?? null)
  const shownId = item?.id ?? null
  if (enlarged.of !== shownId) setEnlarged({ of: shownId, level: 1 })
  const zoom = enlarged.of === shownId ? enlarged.level : 1
  const zoomBy = useCallback((by: 1 | -1) => setEnlarged((now) => ({ ...now, level: zoomed(now.level, by) })), [])
  const elsewhere = useMemo(() => (offCursor && item ? itemSubject(item) : null), [offCursor, item])
  return { isOpen, item: isOpen ? item : null, offCursor, elsewhere, loadError: read, zoom, zoomBy, show, follow }
}

/** The preview with its commands, or its error. */
export function Previewed({
  preview,
  canReview,
}: {
  preview: Pick<Preview, 'item' | 'zoom'> & Partial<Pick<Preview, 'loadError'>>
  canReview: boolean
}) {
  const { item, loadError, zoom } = preview
  const subjects = item ? [itemSubject(item)] : []
  const close = <CommandButton id="list.clearMarks">Close</CommandButton>
  if (!item && loadError?.error)
    return (
      <div className="absolute inset-0 z-10 bg-surface">
        <AnswerError what="This item" error={loadError.error} retry={loadError.retry} />
        <p className="px-4">{close}</p>
      </div>
    )
  return (
    <ItemPreview item={item} zoom={zoom}>
      {item && canReview && (
        <>
          <CommandButton id="content.accept" subjects={subjects} />
          <CommandButton id="content.reject" subjects={subjects} />
          {item.file?.mime.startsWith('image/') && <CommandButton id="content.rotate" subjects={subjects} />}
        </>
      )}
      {item?.file && <CommandButton id="content.download" subjects={subjects} />}
      {item && <CommandMenu subjects={subjects} />}
      {close}
    </ItemPreview>
  )
}
