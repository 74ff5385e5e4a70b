import { useSyncExternalStore } from 'react'
import { partnerPageOf } from '../../data/partnerSession.ts'
import { FeasibilityScreen } from './FeasibilityScreen.tsx'
import { NoRequestScreen } from './NoRequestScreen.tsx'
import { ReceiptScreen } from './ReceiptScreen.tsx'

const subscribe = (moved: () => void) => {
  addEventListener('popstate', moved)
  return () => removeEventListener('popstate', moved)
}

/** The partner's three pages, by address; a partner's phone loads them without the workspace (src/partner.tsx). */
export default function PartnerPane() {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  const place = partnerPageOf(address.split('?')[0]!)
  if (place.page === 'answered') return <ReceiptScreen />
  if (place.page === 'unknown') return <NoRequestScreen />
  const { id, partner_id } = place
  return <FeasibilityScreen key={`${id}/${partner_id} ${/[?&]correct/.test(address)}`} id={id} partner_id={partner_id} />
}
