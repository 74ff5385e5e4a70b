import { useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { participant } from '../../../contract/contentWords.ts'
import { subjectAs } from '../../commands/subject.ts'
import { moment } from '../../data/format.ts'
import { cx } from '../../ui/cx.ts'
import { Pill, type Shape, type Tone } from '../../ui/Pill.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { WebLink } from '../../ui/WebLink.tsx'

/** Something a participant submitted or did. */
export type ContentItem = Output<'content.list'>['data'][number]

export const itemSubject = subjectAs<ContentItem>('content')

const LOOKS: Readonly<Record<ContentItem['review'], readonly [label: string, tone: Tone, shape?: Shape]>> = {
  open: ['New', 'blue'],
  accepted: ['Accepted', 'green'],
  rejected: ['Rejected', 'red'],
}
/** An item's review status as a pill, with the reason if it was rejected. */
export function ReviewPill({ item }: { item: Pick<ContentItem, 'review' | 'review_reason'> }) {
  const [label, tone] = LOOKS[item.review]
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="shrink-0">
        <Pill tone={tone}>{label}</Pill>
      </span>
      {item.review_reason && (
        <span className="truncate text-meta text-muted" title={item.review_reason}>
          {item.review_reason}
        </span>
      )}
    </span>
  )
}

/** Formats a video's length: "0:18", "1:05". */
export const lengthOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** True if a rotation swaps width and height. */
const isTurned = (rotation: number) => rotation % 180 !== 0

/** An item's thumbnail; otherwise its state or a video's length. */
export function Thumb({ item, className = '' }: { item: ContentItem; className?: string }) {
  const { file } = item
  const box = `flex items-center justify-center overflow-hidden rounded-sm bg-sunken text-meta text-muted ${className}`
  if (!file) return <span className={box}>{item.url ? 'Link' : 'No file'}</span>
  if (file.thumbnail)
    return (
      <span className={`[container-type:size] ${box}`}>
        <img
          src={file.thumbnail}
          alt=""
          decoding="async"
          draggable={false}
          className={isTurned(file.rotation) ? 'max-h-[100cqw] max-w-[100cqh]' : 'max-h-[100cqh] max-w-[100cqw]'}
          style={file.rotation ? { transform: `rotate(${file.rotation}deg)` } : undefined}
        />
      </span>
    )
  if (file.thumb_state === 'queued') {
    const size = file.width && file.height ? `${file.width} × ${file.height}` : 'Creating the thumbnail'
    return <span className={box}>{size}</span>
  }
  if (item.action === 'video')
    return <span className={box}>{file.seconds === null ? 'Video' : `▶ ${lengthOf(file.seconds)}`}</span>
  return (
    <span className={box} title={file.thumb_fault || undefined}>
      No preview
    </span>
  )
}

/** Shows an item at full size, with its caption, over its list; null while it loads. */
export function ItemPreview({ item, zoom, children }: { item: ContentItem | null; zoom: number; children?: React.ReactNode }) {
  return (
    <section
      aria-label={item ? `Preview of ${item.name}` : 'Preview'}
      aria-busy={!item}
      className="absolute inset-0 z-10 flex flex-col bg-surface"
    >
      <div
        className={cx(
          '[container-type:size] flex min-h-0 flex-1 bg-sunken',
          zoom === 1 ? 'items-center justify-center overflow-hidden' : 'overflow-auto',
        )}
      >
        {item ? <Whole key={item.id} item={item} zoom={zoom} /> : <Skeleton rows={6} />}
      </div>
      <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2">
        {item && <Caption item={item} />}
        <span className="ml-auto flex flex-wrap items-center gap-1.5">{children}</span>
      </div>
    </section>
  )
}

function Whole({ item, zoom }: { item: ContentItem; zoom: number }) {
  const { file } = item
  const [failed, setFailed] = useState(false)
  if (failed || (file && item.action === 'photo' && file.thumb_state === 'failed'))
    return (
      <p className="m-auto max-w-prose p-4 text-muted">
        {file?.thumb_fault || 'There is no preview.'} Download it to see what it is.
      </p>
    )
  if (file && item.action === 'photo') {
    const turned = isTurned(file.rotation)
    const whole = turned ? 'max-h-[100cqw] max-w-[100cqh]' : 'max-h-[100cqh] max-w-[100cqw]'
    return (
      <img
        src={file.preview}
        alt={item.comment || `Sent by ${participant(item.person)}`}
        className={zoom === 1 ? whole : 'm-auto max-w-none shrink-0'}
        style={{
          ...(zoom === 1 ? {} : { width: `${zoom * 100}${turned ? 'cqh' : 'cqw'}` }),
          ...(file.rotation ? { transform: `rotate(${file.rotation}deg)` } : {}),
        }}
        onError={() => setFailed(true)}
      />
    )
  }
  if (file)
    return (
      // biome-ignore lint/a11y/useMediaCaption: participants' videos have no captions
      <video src={file.preview} controls className="max-h-full max-w-full" style={{ minWidth: '60%' }} />
    )
  return (
    <p dir="auto" className="m-auto max-h-full max-w-160 overflow-auto p-4 whitespace-pre-wrap text-title">
      {item.comment || <WebLink url={item.url} />}
    </p>
  )
}

function Caption({ item }: { item: ContentItem }) {
  return (
    <>
      <span className="font-medium">{participant(item.person)}</span>
      {item.email && <span className="text-muted">{item.email}</span>}
      <span className="text-muted">{item.activity}</span>
      <span className="text-muted tabular-nums">{moment(item.at, 'full')}</span>
      <ReviewPill item={item} />
      {item.file && item.comment && (
        <span dir="auto" className="min-w-0 basis-full text-muted">
          {item.comment}
        </span>
      )}
    </>
  )
}
