import type { Output } from '../../../contract/calls.ts'
import { participant } from '../../../contract/contentWords.ts'
import { subjectAs } from '../../commands/subject.ts'
import { moment } from '../../data/format.ts'
import { Pill, type Shape, type Tone } from '../../ui/Pill.tsx'
import { WebLink } from '../../ui/WebLink.tsx'

/** What a participant sent in or did. */
export type Item = Output<'content.list'>['data'][number]

export const itemSubject = subjectAs<Item>('content')

const LOOKS: Readonly<Record<Item['review'], readonly [label: string, tone: Tone, shape?: Shape]>> = {
  open: ['New', 'blue'],
  accepted: ['Accepted', 'green'],
  rejected: ['Rejected', 'red'],
}
/** An item's review as a pill, with the reason of a rejection. */
export function ReviewPill({ item }: { item: Pick<Item, 'review' | 'review_reason'> }) {
  const [label, tone] = LOOKS[item.review]
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="shrink-0">
        <Pill tone={tone}>{label}</Pill>
      </span>
      {item.review_reason && <span className="truncate text-meta text-muted">{item.review_reason}</span>}
    </span>
  )
}

/** A film's length: "0:18", "1:05". */
export const lengthOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** A picture's thumbnail, or what there is instead: its state, a film's length. */
export function Thumb({ item, className = '' }: { item: Item; className?: string }) {
  const { file } = item
  const box = `flex items-center justify-center overflow-hidden rounded-sm bg-sunken text-meta text-muted ${className}`
  if (!file) return <span className={box}>{item.action === 'social' ? 'Link' : 'No file'}</span>
  if (file.thumbnail)
    return (
      <span className={box}>
        <img
          src={file.thumbnail}
          alt=""
          decoding="async"
          draggable={false}
          className="max-h-full max-w-full"
          style={file.rotation ? { transform: `rotate(${file.rotation}deg)` } : undefined}
        />
      </span>
    )
  if (file.thumb_state === 'queued') {
    const size = file.width && file.height ? `${file.width} × ${file.height}` : 'Thumbnail in the making'
    return <span className={box}>{size}</span>
  }
  if (item.action === 'video')
    return <span className={box}>{file.seconds === null ? 'Video' : `▶ ${lengthOf(file.seconds)}`}</span>
  return <span className={box}>No preview</span>
}

/** An item at its full size over the list that it is in, with its caption. */
export function ItemPreview({ item, zoom, children }: { item: Item; zoom: number; children?: React.ReactNode }) {
  const { file } = item
  const name = participant(item.person)
  return (
    <section aria-label={`Preview of ${item.name}`} className="absolute inset-0 z-10 flex flex-col bg-surface">
      <div className="flex min-h-0 flex-1 items-center justify-center overflow-auto bg-sunken p-4">
        {file && item.action === 'photo' ? (
          <img
            src={file.preview}
            alt={item.comment || `Sent by ${name}`}
            className={zoom === 1 ? 'max-h-full max-w-full object-contain' : 'max-w-none'}
            style={{
              ...(zoom === 1 ? {} : { width: `${zoom * 100}%` }),
              ...(file.rotation ? { transform: `rotate(${file.rotation}deg)` } : {}),
            }}
          />
        ) : file ? (
          // biome-ignore lint/a11y/useMediaCaption: what participants film has no captions
          <video key={file.id} src={file.preview} controls className="max-h-full max-w-full" style={{ minWidth: '60%' }} />
        ) : (
          <p dir="auto" className="max-w-160 whitespace-pre-wrap text-title">
            {item.comment || <WebLink url={item.url} />}
          </p>
        )}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2">
        <span className="font-medium">{name}</span>
        {item.email && <span className="text-muted">{item.email}</span>}
        <span className="text-muted">{item.activity}</span>
        <span className="text-muted tabular-nums">{moment(item.at, 'full')}</span>
        <ReviewPill item={item} />
        {file && item.comment && (
          <span dir="auto" className="min-w-0 basis-full text-muted">
            {item.comment}
          </span>
        )}
        <span className="ml-auto flex flex-wrap items-center gap-1.5">{children}</span>
      </div>
    </section>
  )
}
