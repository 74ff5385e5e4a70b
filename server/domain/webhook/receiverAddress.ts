import { BlockList, isIP } from 'node:net'
import type { Settings } from '../../core/settings.ts'

/** Networks of IPv4 that aren't the public internet (IANA's registry of special addresses). */
const NOT_PUBLIC_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
/** Only these networks of IPv6 are the public internet … */
const PUBLIC_6 = ['2000::/3']
/** … without these: IETF's own with Teredo, documentation, and 6to4, whose addresses contain an IPv4 address. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
/** NAT64: the last four bytes are the IPv4 address that is reached. */
const NAT64 = ['64:ff9b::/96']

function networks(list: readonly string[]): BlockList {
  const block = new BlockList()
  for (const network of list) {
    const [address = '', bits] = network.split('/')
    const version = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    block.addSubnet(address, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version)
  }
  return block
}

const notPublic4 = networks(NOT_PUBLIC_4)
const public6 = networks(PUBLIC_6)
const notPublic6 = networks(NOT_PUBLIC_6)
const nat64 = networks(NAT64)
const mapped = networks(['::ffff:0:0/96'])

/** The eight groups of an address of IPv6 as bytes. */
function bytesOf(address: string): number[] {
  // The URL parser writes every spelling in one way, with the last four bytes as groups.
  const text = new URL(`http://[${address.split('%', 1)[0]!}]/`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => (part ? part.split(':') : [])
  const [before, after] = [groups(head), groups(tail ?? '')]
  const all = tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
  return all.flatMap((group) => {
    const value = Number.parseInt(group as string, 16)
    return [value >> 8, value & 255]
  })
}

/** True if an IP address is one of the public internet's. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !notPublic4.check(address, 'ipv4')
  if (isIP(address) !== 6) return false
  const plain = address.split('%', 1)[0]!
  // BlockList reads a mapped address as IPv4, so its bytes are checked first.
  const bytes = bytesOf(plain)
  const last = bytes.slice(12).join('.')
  if (bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255) return false
  if (nat64.check(plain, 'ipv6')) return !notPublic4.check(last, 'ipv4')
  return public6.check(plain, 'ipv6') && !notPublic6.check(plain, 'ipv6')
}

/** The addresses that webhooks may reach: the public internet over https, and what an operator allows over http. */
export interface Reach {
  /** Returns null if the address is allowed, otherwise the reason. */
  refused(address: string, secure: boolean): string | null
  /** True if an internal network is allowed. */
  inside: boolean
}

/** The addresses that this installation's webhooks may reach. */
export function reachOf({ webhookInside }: Pick<Settings, 'webhookInside'>): Reach {
  const allowed = networks(webhookInside)
  const isAllowed = (address: string) => {
    const plain = address.split('%', 1)[0]!
    const version = isIP(plain)
    const dotted = version === 6 && mapped.check(plain, 'ipv6') ? bytesOf(plain).slice(12).join('.') : null
    if (dotted) return allowed.check(dotted, 'ipv4')
    return version > 0 && allowed.check(plain, version === 6 ? 'ipv6' : 'ipv4')
  }
  return {
    inside: webhookInside.length > 0,
    refused(address, secure) {
      if (isAllowed(address)) return null
      if (!isPublic(address)) return 'It leads to an address inside the network, which webhooks may not reach.'
      return secure ? null : 'It must begin with https://.'
    },
  }
}

/** Why a webhook can't use this URL, as a sentence; null if it can. Its name is resolved at each attempt. */
export function urlFault(text: string, reach: Reach): string | null {
  if (!URL.canParse(text)) return 'URL must be a web address (https://…)'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'It must begin with https://.'
  if (url.protocol === 'http:' && !reach.inside) return 'It must begin with https://.'
  if (url.username || url.password) return 'It must not hold a user name or password.'
  if (url.hash) return 'It must not hold a fragment (#…).'
  const host = hostOf(url)
  return isIP(host) ? reach.refused(host, url.protocol === 'https:') : null
}

/** A URL's host without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
