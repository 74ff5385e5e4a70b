import { useEffect, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { useCall } from '../../data/useCall.ts'

type Partner = Output<'partner.list'>['data'][number]

/** Typing rests this long, in ms, before anything is asked for. */
const REST_MS = 200
const SHOWN = 5
/** Words that say nothing about which company it is. */
const COMMON = new Set([
  ...['and', 'co', 'company', 'corp', 'corporation', 'group', 'inc', 'international', 'llc', 'ltd', 'the'],
  ...['insight', 'insights', 'market', 'media', 'panel', 'panels', 'research', 'sample', 'samples', 'survey', 'surveys'],
])
/** Mailboxes of anybody: a shared domain says nothing. */
const FREE = /^(aol|gmail|gmx|googlemail|hotmail|icloud|live|mail|me|msn|outlook|proton|protonmail|yahoo|ymail|zoho)\.[a-z.]+$/

/** The word of a company's name that tells it from others; empty while there is none of three letters. */
export function tellingWord(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
  const own = words.filter((word) => !COMMON.has(word))
  return [...(own.length ? own : words)].sort((a, b) => b.length - a.length)[0] ?? ''
}

/** An address's domain with its @, if it is a company's own: "@acme.test"; empty otherwise. */
export function ownDomain(email: string): string {
  const domain = /@([^\s@]+\.[^\s@]{2,})$/.exec(email.trim().toLowerCase())?.[1] ?? ''
  return domain && !FREE.test(domain) ? `@${domain}` : ''
}

/** The partners that a new one may be another record of: with a like name, or an address at the same company. */
export function useLikelyPartners(name: string, email: string): readonly Partner[] {
  const [asked, setAsked] = useState({ word: '', domain: '' })
  const [word, domain] = [tellingWord(name), ownDomain(email)]
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ word, domain }), REST_MS)
    return () => clearTimeout(timer)
  }, [word, domain])
  const byName = useCall('partner.list', asked.word ? { search: asked.word, per_page: SHOWN } : null)
  const byDomain = useCall('partner.list', asked.domain ? { search: asked.domain, per_page: SHOWN } : null)
  // What belongs to an earlier text is not shown for this one.
  const found = [
    ...(asked.word && word === asked.word ? (byName.data?.data ?? []) : []),
    ...(asked.domain && domain === asked.domain ? (byDomain.data?.data ?? []) : []),
  ]
  return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, SHOWN)
}
