import { shortDate } from '../../../contract/format.ts'
import type { ClientStep } from '../../../contract/quoteRecord.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { ClientSteps } from './ClientSteps.tsx'
import { Disclosure } from './Disclosure.tsx'

/** What a client reads about each step of a request: whose turn it is. */
export const STEP_SENTENCES: Record<ClientStep, string> = {
  requirements: 'We’re reviewing your request.',
  pricing: 'We’re working on the price.',
  approval: 'The quote awaits your approval.',
  expired: 'The quote expired before it was approved.',
  approved: 'Approved. We’re preparing the launch.',
  rejected: 'The request was rejected.',
}

/** A request's steps for its client, whose turn it is and since when, with its quote. */
export function RequestProgress({ id, stored }: { id: number; stored: string }) {
  const { data } = useCall('campaign.requestInfo', { id }, { fresh: true })
  const request = data?.data
  if (!request) return null
  const { step, valid_until, quote, since } = request
  const isLaunched = step === 'approved' && stored !== 'approved'
  return (
    <Disclosure title="Request" anchor="request">
      <ClientSteps step={step} />
      <p className="mt-1 text-muted">
        {isLaunched ? 'Approved.' : `${STEP_SENTENCES[step]} Since ${moment(since)}.`}
        {step === 'approval' && valid_until && ` The quote is valid until ${shortDate(valid_until)}.`}{' '}
        {quote && (
          <PaneLink to={href('clientApproval', { id })} className="text-accent-ink underline underline-offset-2">
            {step === 'approval' ? 'Decide on the quote' : 'See the quote'}
          </PaneLink>
        )}
      </p>
    </Disclosure>
  )
}
