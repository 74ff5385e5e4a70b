import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { SkeletonRows } from './States.tsx'
import { useDelayed } from './useDelayed.ts'

const bar = 'block rounded-full bg-track opacity-60'

/** Takes its space at once but draws after 150 ms, so that fast loading never flashes. */
function Shape({ kind, children, className }: { kind: string; children: ReactNode; className?: string }) {
  const late = useDelayed(true)
  return (
    <div
      role="status"
      data-loading=""
      data-skeleton={kind}
      aria-label={late ? 'Loading' : undefined}
      className={cx(!late && 'invisible', className)}
    >
      {children}
    </div>
  )
}

/** A list with title, filters and header. */
export const ListSkeleton = () => (
  <Shape kind="list">
    <div className="border-b border-line px-4 pt-3 pb-2 narrow:px-3 narrow:py-1">
      <div className="flex h-7 items-center narrow:h-9">
        <span className={cx(bar, 'h-3 w-32')} />
      </div>
      <div className="mt-2 flex h-7 items-center gap-1.5 narrow:mt-0 narrow:h-9">
        {[64, 88, 72].map((width) => (
          <span key={width} className="h-6 rounded-md bg-track opacity-60 narrow:h-8" style={{ width }} />
        ))}
      </div>
    </div>
    <div className="h-8 border-b border-line narrow:hidden" />
    <SkeletonRows rows={12} />
  </Shape>
)

/** The charts of an Overview: filters, key figures, trend, bars and map. */
const ChartsSkeleton = () => (
  <Shape kind="charts" className="@container px-4 pt-3 pb-6">
    <div className="flex h-7 items-center gap-1.5 overflow-hidden">
      {[48, 64, 104, 72, 88].map((width) => (
        <span key={width} className="h-6 shrink-0 rounded-md bg-track opacity-60" style={{ width }} />
      ))}
    </div>
    <div className="mt-3 h-27.5 rounded-lg border border-line" data-tile="key" />
    <div className="mt-1 grid grid-cols-1 gap-x-7 @2xl:grid-cols-2">
      <Tile id="trend" wide height="h-49" />
      {['age', 'gender', 'income', 'ethnicity'].map((id) => (
        <Tile key={id} id={id} height="h-28" />
      ))}
      <Tile id="map" wide height="h-80" />
    </div>
  </Shape>
)
const Tile = ({ id, wide, height }: { id: string; wide?: boolean; height: string }) => (
  <div data-tile={id} className={cx('min-w-0 pt-4', wide && '@2xl:col-span-2')}>
    <div className="mb-2 flex h-4 items-center">
      <span className={cx(bar, 'h-2 w-20')} />
    </div>
    <div className={cx('rounded-md bg-track opacity-30', height)} />
  </div>
)

/** A form's heading and fields. */
export const FormSkeleton = () => (
  <Shape kind="form">
    <div className="flex h-12 items-center justify-between border-b border-line px-4">
      <span className={cx(bar, 'h-3 w-40')} />
      <span className="h-7 w-24 rounded-md bg-track opacity-60" />
    </div>
    <div className="@container px-4 pt-5">
      <div className="grid max-w-2xl grid-cols-1 gap-4 @lg:grid-cols-2">
        {Array.from({ length: 8 }, (_, at) => (
          <div key={at}>
            <span className={cx(bar, 'mb-2 h-2 w-20')} />
            <span className="block h-8 rounded-md border border-line" />
          </div>
        ))}
      </div>
    </div>
  </Shape>
)

const FACTS = Array.from({ length: 10 }, (_, at) => (
  <div
    key={at}
    className="grid min-h-9 grid-cols-1 content-center gap-x-4 gap-y-1.5 px-4 py-1.5 @md:grid-cols-[160px_minmax(0,1fr)]"
  >
    <span className={cx(bar, 'h-2', at % 3 ? 'w-16' : 'w-24')} />
    <span className={cx(bar, 'h-2', at % 2 ? 'w-28' : 'w-44')} />
  </div>
))

/** A record's fields with their labels. */
const FactsSkeleton = () => (
  <Shape kind="facts" className="@container pt-2">
    <div className="max-w-4xl divide-y divide-line">{FACTS}</div>
  </Shape>
)

/** Specifications: buttons, and the fields of a section. */
const SpecificationsSkeleton = () => (
  <Shape kind="specifications" className="@container px-4 pt-2 pb-6">
    <div className="flex items-center gap-1.5 pb-1">
      {[104, 112].map((width) => (
        <span key={width} className="h-7 rounded-md bg-track opacity-60" style={{ width }} />
      ))}
    </div>
    <div className="flex h-9 items-center pl-5.5">
      <span className={cx(bar, 'h-2 w-20')} />
    </div>
    <div className="divide-y divide-line @sm:pl-5.5">{FACTS}</div>
  </Shape>
)

/** Notes and changes, one below the other. */
const EntriesSkeleton = () => (
  <Shape kind="entries" className="px-4 pt-3">
    <span className="block h-7 w-28 rounded-md bg-track opacity-60" />
    <div className="mt-2 divide-y divide-line">
      {[44, 60, 36, 52, 40].map((share) => (
        <div key={share} className="flex h-15 flex-col justify-center gap-2.5">
          <span className={cx(bar, 'h-2')} style={{ width: `${share}%` }} />
          <span className={cx(bar, 'h-2 w-40')} />
        </div>
      ))}
    </div>
  </Shape>
)

/** Questions with a bar for each answer, below the filters. */
const AnswersSkeleton = () => (
  <Shape kind="answers">
    <div className="flex h-24 flex-col justify-center gap-3 border-b border-line px-4">
      <div className="flex gap-1.5 overflow-hidden">
        {[60, 52, 56, 64, 60, 58].map((width, at) => (
          <span key={at} className="h-6 shrink-0 rounded-md bg-track opacity-60" style={{ width }} />
        ))}
      </div>
      <span className={cx(bar, 'h-2 w-40')} />
    </div>
    {[3, 6, 5].map((bars) => (
      <div key={bars} className="max-w-240 border-b border-line px-4 py-4">
        <span className={cx(bar, 'mb-4 h-2 w-3/5')} />
        {Array.from({ length: bars }, (_, at) => (
          <span key={at} className="mb-2 block h-3 rounded-sm bg-track opacity-30" style={{ width: `${80 - 11 * at}%` }} />
        ))}
      </div>
    ))}
  </Shape>
)

/** The steps of a quote, and the request. */
const StepsSkeleton = () => (
  <Shape kind="steps" className="@container px-4 pt-3">
    <div className="grid grid-cols-2 gap-1.5 @2xl:grid-cols-4">
      {[1, 2, 3, 4].map((step) => (
        <span key={step} className="h-14 rounded-md border border-line" />
      ))}
    </div>
    <div className="mt-3">{FACTS}</div>
  </Shape>
)

const OF_TABS: Readonly<Record<string, () => ReactNode>> = {
  overview: ChartsSkeleton,
  specifications: SpecificationsSkeleton,
  userResponses: AnswersSkeleton,
  approval: StepsSkeleton,
  history: EntriesSkeleton,
  notes: EntriesSkeleton,
  landingPage: FormSkeleton,
  ...{ details: FactsSkeleton, survey: FactsSkeleton, target: FactsSkeleton, market: FactsSkeleton },
}

/** The skeleton of a record's tab by the tab's key; most tabs are lists. */
export function TabSkeleton({ tab }: { tab: string | null }) {
  const Body = OF_TABS[tab ?? 'details'] ?? ListSkeleton
  return <Body />
}

/** A record's header and tabs, with the skeleton of a tab below. */
export const RecordSkeleton = ({ tabs, body }: { tabs: number; body: ReactNode }) => (
  <>
    <Shape kind="record" className="border-b border-line">
      <div className="px-4 pt-3 pb-2">
        <div className="flex h-6 items-center">
          <span className={cx(bar, 'h-3 w-56')} />
        </div>
        <div className="mt-1 flex h-7 items-center gap-3.5 narrow:h-4">
          <span className={cx(bar, 'h-2 w-14')} />
          <span className={cx(bar, 'h-2 w-24')} />
        </div>
      </div>
      {tabs > 0 && (
        <div className="flex h-8 items-center gap-6 overflow-hidden px-4">
          {Array.from({ length: Math.min(tabs, 9) }, (_, at) => (
            <span key={at} className={cx(bar, 'h-2 shrink-0', at % 2 ? 'w-12' : 'w-20')} />
          ))}
        </div>
      )}
    </Shape>
    {body}
  </>
)
