import { useEffect, useMemo, useRef } from 'react'
import type { Brand } from '../../../../contract/brand.ts'
import { type Subject, subjectAs } from '../../../commands/subject.ts'
import { useMay } from '../../../data/permissions.ts'
import { useCall } from '../../../data/useCall.ts'
import { withQuery } from '../../../routing/ref.ts'
import { href } from '../../../routing/routes.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/States.tsx'
import { useFailed } from '../../../workspace/compareRole.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { usePane } from '../../../workspace/pane.tsx'
import type { PaneProps } from '../../../workspace/paneOf.tsx'
import { DeletedRecord } from '../../shared/DeletedRecord.tsx'
import { RecordError } from '../../shared/RecordError.tsx'
import { isGone, RecordGone } from '../../shared/RecordGone.tsx'
import { BrandVisits } from './BrandVisits.tsx'
import { visitsSentence } from './VisitsError.tsx'

const brandSubject = subjectAs<Brand>('brand')
/** Everything the caller may see, as a subject that no command acts on. */
const ALL: Subject = { kind: 'brand', id: 0, name: 'All brands', allowed_actions: [] }

/** The visits of a brand (screens-visitation.md, Brand info); id 0 is all visible brands. */
export default function BrandPane({ params }: PaneProps) {
  const id = Number(params.id)
  const pane = usePane()
  const { setSubject, go, replace } = pane
  const answer = useCall('brand.get', id ? { id } : null, { fresh: true })
  const brand = answer.data?.data
  const gone = isGone(answer.error)
  const owns = useMay('brand.edit')
  const subject = useMemo(() => (id === 0 ? ALL : brand && !gone ? brandSubject(brand) : null), [id, brand, gone])
  useEffect(() => {
    // A deleted brand's screen sets its own.
    if (subject || !gone) setSubject(subject)
  }, [subject, gone, setSubject])
  useFailed(answer.error !== undefined && !brand)
  const home = href(owns ? 'brands' : 'visitation')
  const homeTitle = owns ? 'all brands' : 'your services'

  const isWithout = useCall('service.list', id || owns ? null : { status: '2', per_page: 1 }).data?.count === 0
  useEffect(() => {
    if (isWithout) replace(href('visitationViewer'))
  }, [isWithout, replace])
  const taken = Boolean(brand) && gone && !owns
  const name = brand?.name
  useEffect(() => {
    if (!taken) return
    workspace.notice(`The services of “${name}” are no longer shared with you.`, 'bad')
    go(home, 'here')
  }, [taken, name, home, go])
  useTakenService(brand)
  useComparedByLink(id, pane.query, replace)

  if (answer.error && !brand) {
    const missing = (
      <ErrorState
        title={visitsSentence(answer.error)}
        action={
          <>
            <Button data-view="" onClick={answer.retry}>
              Try again
            </Button>
            <Button data-view="" onClick={() => go(home, 'here')}>
              Go to {homeTitle}
            </Button>
          </>
        }
        detail={answer.error.requestId ?? undefined}
      >
        {gone && 'The link may be old, or meant for someone else.'}
      </ErrorState>
    )
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        record={{ noun: 'brand', id }}
        missing={missing}
        what={`Brand ${id}`}
        home={home}
        homeTitle={homeTitle}
      />
    )
  }
  if (brand && gone && owns)
    return <RecordGone noun="brand" id={id} what="This brand" name={brand.name} home={home} homeTitle={homeTitle} />
  const visits = <BrandVisits key={id} id={id} brand={brand} subject={subject} />
  const service = Number(pane.query.service) || null
  if (!brand || service === null || brand.children.some((child) => child.id === service)) return visits
  return (
    <DeletedRecord
      noun="service"
      id={service}
      what="This service"
      home={href('brand', { id, filter: 'none' })}
      homeTitle="all services"
    >
      {visits}
    </DeletedRecord>
  )
}

/** Falls back to all services, with a notice, when the shown service is removed. */
function useTakenService(brand: Brand | undefined): void {
  const { query, setQuery } = usePane()
  const service = Number(query.service) || null
  const seen = useRef<{ id: number; name: string } | null>(null)
  useEffect(() => {
    if (!brand || service === null) return
    const found = brand.children.find(({ id }) => id === service)
    if (found) seen.current = { id: service, name: found.name }
    else if (seen.current?.id === service) {
      workspace.notice(`“${seen.current.name}” is gone, or no longer shared with you. Showing all services.`, 'bad')
      setQuery({ service: null })
    }
  }, [brand, service, setQuery])
}

/** Opens the brands a link compares (`compare=7,9`) in columns beside this one, then drops the parameter. */
function useComparedByLink(id: number, query: Readonly<Record<string, string>>, replace: (ref: string) => void): void {
  const { match, active } = usePane()
  const wanted = query.compare
  const ref = match?.ref
  useEffect(() => {
    if (!wanted || !ref || !active) return
    const others = [...new Set(wanted.split(',').map(Number))].filter((other) => other > 0 && other !== id).slice(0, 3)
    replace(withQuery(ref, { compare: null }))
    if (others.length && id) workspace.compare.open([id, ...others].map((one) => href('brand', { id: one, filter: 'none' })))
  }, [wanted, ref, active, id, replace])
}
