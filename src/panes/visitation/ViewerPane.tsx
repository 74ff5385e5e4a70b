import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { counted } from '../../../contract/format.ts'
import { useMay } from '../../data/permissions.ts'
import { configAtom } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { momentDay } from '../shared/momentDay.ts'
import { SampleVisits } from './SampleVisits.tsx'

const LINES = [
  ['Counted', 'visits to a place by day and hour, and the number of different devices.'],
  ['Compared', 'with earlier days, between market areas, and with the order.'],
  ['Not counted', 'no names, no home addresses, and nothing that links a visit to a person.'],
] as const

/** Introduces visitation to a client user without services (screens-visitation.md, Viewer). */
export default function ViewerPane() {
  const admin = useMay('service.ofUser')
  const { go } = usePane()
  const { support_mail, product } = useAtomValue(configAtom)
  const own = useCall('service.list', { status: '2', per_page: 1 }).data?.count
  const requestedAt = useCall('service.requested', {}).data?.data.asked_at
  const before = useRef<number | undefined>(undefined)
  useEffect(() => {
    // A first service granted while this is open shows a notice instead of redirecting.
    if (before.current === 0 && own) {
      void toast(`You have ${counted(own, 'service')} now.`, {
        tone: 'good',
        action: { label: 'Open', run: () => go(href('visitation')) },
      })
    }
    if (own !== undefined) before.current = own
  }, [own, go])
  return (
    <div className="@container max-w-6xl px-4 pt-3 pb-8">
      <h1 className="text-head">Visitation</h1>
      <p className="mt-1 max-w-prose">Visitation counts visits to a brand’s places by day, market and venue.</p>
      {own ? (
        <p
          role="status"
          className="mt-3 flex min-h-9 flex-wrap items-center gap-x-3 rounded-md bg-accent-wash px-3 py-2 text-accent-ink"
        >
          <span>
            {admin ? `There ${own === 1 ? 'is' : 'are'} ${counted(own, 'service')}.` : `You have ${counted(own, 'service')}.`}
          </span>
          <PaneLink to={href('visitation')} className="underline">
            Go to Services
          </PaneLink>
        </p>
      ) : (
        <p className="mt-3 flex min-h-9 items-center">
          {own === 0 && !admin && 'You have no services yet. Administrators give access to them.'}
        </p>
      )}
      {!admin && (
        <div className="mt-3 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
          {requestedAt ? (
            <p role="status" className="text-muted">
              Asked on {momentDay(requestedAt)}
            </p>
          ) : (
            <CommandButton id="service.request" variant={own ? 'default' : 'primary'} />
          )}
          {support_mail && (
            <a
              href={`mailto:${support_mail}?subject=${encodeURIComponent(`${product}: visitation`)}`}
              className="rounded-sm text-accent-ink underline"
              data-view=""
            >
              Write to {support_mail}
            </a>
          )}
        </div>
      )}
      <div className="mt-4">
        <SampleVisits />
      </div>
      <dl className="mt-4 grid gap-x-6 gap-y-2 @lg:grid-cols-[max-content_minmax(0,1fr)]">
        {LINES.map(([term, text]) => (
          <div key={term} className="contents">
            <dt className="font-medium">{term}</dt>
            <dd className="text-muted @max-lg:mb-2">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
