import { useEffect, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { isEmail } from '../../../contract/messages.ts'
import { useCall } from '../../data/useCall.ts'

type Partner = Output<'partner.list'>['data'][number]

/** Debounce before a search, in ms. */
const REST_MS = 200
const SHOWN = 5
/** Words too common to identify a company. */
const COMMON = new Set([
  ...['and', 'co', 'company', 'corp', 'corporation', 'group', 'inc', 'international', 'llc', 'ltd', 'the'],
  ...['insight', 'insights', 'market', 'media', 'panel', 'panels', 'research', 'sample', 'samples', 'survey', 'surveys'],
])
/** Free mail providers; sharing their domain means nothing. */
const FREE = /^(aol|gmail|gmx|googlemail|hotmail|icloud|live|mail|me|msn|outlook|proton|protonmail|yahoo|ymail|zoho)\.[a-z.]+$/

/** Returns the most telling word of a company's name; empty if no word has three letters. */
export function distinctiveWord(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
  const own = words.filter((word) => !COMMON.has(word))
  return [...(own.length ? own : words)].sort((a, b) => b.length - a.length)[0] ?? ''
}

/** Returns an address's domain with its @ ("@acme.test"); empty for free mail providers. */
export function ownDomain(email: string): string {
  const typed = email.trim().toLowerCase()
  const domain = typed.slice(typed.lastIndexOf('@') + 1)
  return isEmail(typed) && !FREE.test(domain) ? `@${domain}` : ''
}

/** Finds partners that a new one may duplicate: a similar name, or an address at the same company. */
export function useLikelyPartners(name: string, email: string): readonly Partner[] {
  const [debounced, setDebounced] = useState({ word: '', domain: '' })
  const [word, domain] = [distinctiveWord(name), ownDomain(email)]
  useEffect(() => {
    const timer = setTimeout(() => setDebounced({ word, domain }), REST_MS)
    return () => clearTimeout(timer)
  }, [word, domain])
  const byName = useCall('partner.list', debounced.word ? { search: debounced.word, per_page: SHOWN } : null)
  const byDomain = useCall('partner.list', debounced.domain ? { search: debounced.domain, per_page: SHOWN } : null)
  // Results of an earlier search are dropped.
  const found = [
    ...(debounced.word && word === debounced.word ? (byName.data?.data ?? []) : []),
    ...(debounced.domain && domain === debounced.domain ? (byDomain.data?.data ?? []) : []),
  ]
  return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, SHOWN)
}
