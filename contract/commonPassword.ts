import { withoutEnd, withoutEnds } from './textEnds.ts'

/**
 * Common words in passwords that meet the rule by an added capital, digit and symbol.
 * Taken from published lists of leaked passwords: words of at least three letters.
 */
const WORDS = new Set(
  `password passwort passwd pass passe contrasena senha parola wachtwoord motdepasse changeme letmein welcome willkommen bienvenue hello hallo hola
  admin administrator root user guest test testing tester demo temp temporary default secret login access account manager master system server service support
  qwerty qwertz azerty qwertyuiop qwer qwert qwe asdf asdfg asdfgh asdfghjkl zxcv zxcvb zxcvbn zxcvbnm qaz qazwsx qazwsxedc wsx edc abc abcd abcde abcdef abcdefg abcdefgh
  aaa aaaa xxx xxxx iloveyou loveyou lovely love forever baby babygirl angel angels princess prince queen king dragon monkey tiger lion eagle falcon wolf bear dolphin
  butterfly flower rainbow sunshine summer winter spring autumn fall season january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday morning today money dollar business company office work home services family mother father sister brother
  football soccer baseball basketball hockey tennis golf superman batman spiderman ironman pokemon pikachu starwars matrix ninja samurai hunter killer warrior knight wizard
  shadow ghost phoenix thunder lightning storm fire ice freedom liberty trust trustno faith hope jesus christ church heaven america american canada london paris berlin
  newyork chicago dallas boston texas california florida cowboys yankees lakers steelers eagles patriots chelsea arsenal liverpool barcelona madrid juventus
  michael jordan jennifer jessica michelle ashley amanda andrew anthony daniel david james john joshua matthew nicole robert thomas william charlie george harley maggie
  buster bailey ginger pepper cookie chocolate cheese banana orange apple cherry coffee whiskey computer internet google facebook twitter linkedin instagram microsoft
  windows apple samsung android iphone nintendo playstation mustang ferrari porsche mercedes corvette yamaha honda toyota purple yellow silver golden diamond
  survey project client campaign research market marketing`.split(/\s+/),
)
const LEET: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  $: 's',
  '5': 's',
  '3': 'e',
  '7': 't',
  '1': 'l',
  '!': 'i',
  '|': 'l',
  '8': 'b',
}
/** Fewer distinct characters make a pattern instead of a password. */
const DIFFERENT = 5

const bare = (text: string) => withoutEnds(text, (sign) => /[^a-z]/.test(sign))
const plain = (text: string) => text.replace(/[@40$5371!|8]/g, (sign) => LEET[sign]!)

/** The words a password may hide: without added digits and signs, and with look-alikes read as letters. */
function stemsOf(password: string): string[] {
  const lower = password.toLowerCase()
  const inner = bare(lower)
  return [
    inner,
    bare(plain(inner)),
    plain(inner).replaceAll('l', 'i'),
    plain(withoutEnd(lower, (sign) => /[\d\W_]/.test(sign))),
    lower.replace(/[^a-z]/g, ''),
  ]
}

/** Whose password it is; a form that doesn't know leaves the texts empty. */
interface Owner {
  email: string
  first_name: string
  last_name: string
}

/** Why a password that passes the rule is still easy to guess for this user, or null. */
export function commonFault(password: string, user: Owner): string | null {
  if (new Set(password.toLowerCase()).size < DIFFERENT)
    return 'This password has too few different characters. Choose another one.'
  const stems = stemsOf(password)
  // A word repeated twice counts as the word.
  const halves = stems.flatMap((stem) =>
    stem.length % 2 === 0 && stem.slice(0, stem.length / 2) === stem.slice(stem.length / 2) ? [stem.slice(stem.length / 2)] : [],
  )
  if ([...stems, ...halves].some((stem) => WORDS.has(stem))) return 'This password is too easy to guess. Choose another one.'
  const [local = '', domain = ''] = user.email.toLowerCase().split('@')
  const own = [
    local,
    ...local.split(/[^a-z]+/),
    domain.split('.').at(-2) ?? '',
    user.first_name.toLowerCase(),
    user.last_name.toLowerCase(),
  ]
  return stems.some((stem) => stem.length > 2 && own.includes(stem))
    ? 'This password is your name or email. Choose another one.'
    : null
}
