import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP } from 'node:net'

/** The longest time a check takes (ms), and the most redirects it follows. */
const LONGEST = 5000
const REDIRECTS = 5

/** Private networks: no survey is there, and a request would reveal what is behind this server. */
const inside = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [net, bits] = range.split('/') as [string, string]
  inside.addSubnet(net, Number(bits), 'ipv4')
}
// Global IPv6 addresses start with 2 or 3; 2002::/16 contains an IPv4 address.
const outside = new BlockList()
outside.addSubnet('2000::', 3, 'ipv6')
const carries = new BlockList()
carries.addSubnet('2002::', 16, 'ipv6')

/** True for an address on the public internet. */
export const isPublic = (address: string): boolean =>
  isIP(address) === 4 ? !inside.check(address, 'ipv4') : outside.check(address, 'ipv6') && !carries.check(address, 'ipv6')

class Inside extends Error {}

/** A link's response: a status, or the sentence that explains why there is none. */
export interface Answered {
  status: number | null
  trouble: string
}
type Allowed = (address: string) => boolean

const TROUBLES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host is not known',
  ECONNREFUSED: 'its host refuses the connection',
  ECONNRESET: 'its host ends the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is another host’s',
}

/**
 * Requests a link once and returns the status after redirects; the body isn't read.
 * Addresses in private networks are never requested, whatever name or redirect leads there.
 */
export async function checkLink(link: string, allowed: Allowed = isPublic): Promise<Answered> {
  const signal = AbortSignal.timeout(LONGEST)
  try {
    let url = new URL(link)
    for (let at = 0; at <= REDIRECTS; at++) {
      const { status, location } = await ask(url, allowed, signal)
      if (!location) return { status, trouble: '' }
      url = new URL(location, url)
    }
    return { status: null, trouble: 'it redirects too often' }
  } catch (error) {
    if (signal.aborted) return { status: null, trouble: `it did not answer within ${LONGEST / 1000} seconds` }
    if (error instanceof Inside) return { status: null, trouble: 'it leads into a private network' }
    return { status: null, trouble: TROUBLES[(error as { code?: string }).code ?? ''] ?? 'it can’t be reached' }
  }
}

function ask(url: URL, allowed: Allowed, signal: AbortSignal): Promise<{ status: number; location: string | null }> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('not a web address')
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  // An IP address needs no lookup, so it is checked here.
  if (isIP(bare) && !allowed(bare)) throw new Inside()
  return new Promise((resolve, reject) => {
    const begin: (...args: Parameters<typeof requestHttp>) => ClientRequest =
      url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = begin(
      url,
      { signal, agent: false, headers: { 'user-agent': 'Fieldwork link check', accept: '*/*' }, lookup: lookupAllowed(allowed) },
      (answer) => {
        const status = answer.statusCode ?? 0
        const { location } = answer.headers
        answer.destroy()
        resolve({ status, location: status >= 300 && status < 400 && location ? location : null })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

/** Resolves a host and rejects it if any of its addresses isn't allowed; the connection uses the checked ones. */
const lookupAllowed =
  (allowed: Allowed) =>
  (
    host: string,
    options: LookupOptions,
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      if (!found.length || !found.every(({ address }) => allowed(address))) return done(new Inside(), '')
      if (options.all) return done(null, found)
      done(null, found[0]!.address, found[0]!.family)
    })
