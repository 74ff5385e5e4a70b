/* Other ways to write a typed word: numbers of waves and years, plurals, abbreviations, spellings, keyboards. */

/**
 * A sequence of whole words that stands for a token; a `weak` one ranks only as high as a word of the second line.
 * With `begins` the last word is the beginning of a number that is still being typed.
 */
export type Spelled = { words: string[]; weak: boolean; begins?: true }

/** TABLE  words followed by a number, with all their forms, which people use interchangeably. */
const COUNTED = [
  ['wave', 'wv', 'w'],
  ['week', 'wk', 'w'],
  ['phase', 'ph'],
  ['round', 'rd', 'r'],
  ['part', 'pt'],
  ['quarter', 'qtr', 'q'],
  ['version', 'ver', 'v'],
]
const NUMBER =
  'zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen,sixteen,seventeen,eighteen,nineteen,twenty'.split(
    ',',
  )
const ROMAN = ',i,ii,iii,iv,v,vi,vii,viii,ix,x,xi,xii'.split(',')

/** TABLE  words and their short forms. */
const SHORT: readonly (readonly string[])[] = [
  ['department', 'dept'],
  ['brothers', 'bros'],
  ['international', 'intl'],
  ['management', 'mgmt', 'mgt'],
  ['company', 'co'],
  ['corporation', 'corp'],
  ['incorporated', 'inc'],
  ['limited', 'ltd'],
  ['questionnaire', 'qnr', 'qre'],
  ['research', 'rsch'],
  ['marketing', 'mktg'],
  ['market', 'mkt'],
  ['product', 'prod'],
  ['government', 'govt'],
  ['national', 'natl'],
  ['association', 'assn', 'assoc'],
  ['university', 'univ'],
  ['manufacturing', 'mfg'],
  ['television', 'tv'],
  ['advertising', 'advert'],
  ['customer', 'cust'],
  ['satisfaction', 'sat'],
  ['services', 'svcs'],
  ['service', 'svc'],
  ['number', 'no', 'nr'],
  ['january', 'jan'],
  ['february', 'feb'],
  ['march', 'mar'],
  ['april', 'apr'],
  ['june', 'jun'],
  ['july', 'jul'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct'],
  ['november', 'nov'],
  ['december', 'dec'],
  ['tyre', 'tire'],
  ['tyres', 'tires'],
  ['whisky', 'whiskey'],
  ['jewellery', 'jewelry'],
  ['grey', 'gray'],
  ['yoghurt', 'yogurt'],
]

/** Beginnings and endings that differ between British and American English, both ways. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ['our', 'or'],
  ['ours', 'ors'],
  ['ise', 'ize'],
  ['iser', 'izer'],
  ['isation', 'ization'],
  ['tre', 'ter'],
  ['ogue', 'og'],
  ['amme', 'am'],
]

const known = new Map<string, readonly string[]>()
for (const forms of SHORT) for (const form of forms) known.set(form, forms)

const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
const CYRILLIC = 'йцукенгшщзхъфывапролджэячсмитьбю'
/** TABLE  Cyrillic in Latin letters, the longest first. */
const SOUNDS =
  'shch:щ,yo:е,zh:ж,kh:х,ts:ц,ch:ч,sh:ш,yu:ю,ya:я,ye:е,a:а,b:б,v:в,g:г,d:д,e:е,z:з,i:и,y:ы,k:к,l:л,m:м,n:н,o:о,p:п,r:р,s:с,t:т,u:у,f:ф,h:х,c:к,j:и'
    .split(',')
    .map((pair) => pair.split(':') as [string, string])

/** Returns the same keys on the other keyboard layout, and the same sounds in Cyrillic, for a word without matches. */
export function otherScripts(word: string): string[] {
  if (/^[а-я]+$/.test(word)) {
    const typed = [...word].map((letter) => LATIN[CYRILLIC.indexOf(letter)] ?? '').join('')
    // Folding turned й, which is on the q key, into и, which is on the b key.
    return [typed, typed.replaceAll('b', 'q')]
  }
  if (!/^[a-z]{3,}$/.test(word)) return []
  let sounded = ''
  for (let at = 0; at < word.length; ) {
    const found = SOUNDS.find(([latin]) => word.startsWith(latin, at))!
    sounded += found?.[1] ?? ''
    at += found?.[0].length ?? 1
  }
  return [[...word].map((letter) => CYRILLIC[LATIN.indexOf(letter)] ?? '').join(''), sounded].map((text) =>
    text.normalize('NFKD').replace(/\p{M}/gu, ''),
  )
}

/** Returns the other spellings of each word of a query, without the words themselves. */
export function spellingsOf(words: readonly string[], apostrophes: ReadonlySet<string> = new Set(), open = false): Spelled[][] {
  const out = words.map((word) => ownSpellings(word, apostrophes.has(word)))
  if (open && words.length > 1) addPrefixSpellings(words, out)
  for (let at = 0; at + 1 < words.length; at++) {
    const number = numberOf(words[at + 1]!)
    const counted = number === null ? [] : countedForms(words[at]!, number, false)
    const joined = words[at]! + words[at + 1]!
    const both = [...counted, ...(/\d/.test(joined) ? [] : [strong(joined)])]
    out[at]!.push(...both)
    out[at + 1]!.push(...both)
    if (at + 2 < words.length && !/\d/.test(joined + words[at + 2]!)) {
      const three = strong(joined + words[at + 2]!)
      for (const place of [at, at + 1, at + 2]) out[place]!.push(three)
    }
  }
  return out
}

/** Adds what a last word may become: "wa" may be a wave, which names write W10; "w1" may be any from 10 to 19. */
function addPrefixSpellings(words: readonly string[], out: Spelled[][]): void {
  const last = words.at(-1)!
  const before = words.at(-2)!
  const startedForms = (form: string, number: string): Spelled[] => [
    { words: [`${form}${number}`], weak: true, begins: true },
    ...(number === '' ? [] : [{ words: [form, number], weak: true, begins: true as const }]),
  ]
  const counted = /^([a-z]+)(\d{1,2})$/.exec(last)
  for (const forms of COUNTED) {
    if (counted && forms.includes(counted[1]!))
      out.at(-1)!.push(...forms.filter((form) => form !== counted[1]).flatMap((form) => startedForms(form, counted[2]!)))
    if (/^\d{1,2}$/.test(last) && forms.includes(before))
      for (const place of out.slice(-2))
        place.push(...forms.filter((form) => form !== before).flatMap((form) => startedForms(form, last)))
    const matching = forms.filter((form) => form.length > 2 && form.startsWith(last))
    if (last.length > 1 && matching.length > 0)
      for (const form of forms) if (!form.startsWith(last)) out.at(-1)!.push({ words: [form], weak: true, begins: true })
    // "wave fo" will be a number in words.
    const spelt = NUMBER.findIndex((word, at) => at > 0 && word.startsWith(last))
    if (last.length > 1 && spelt > 0 && forms.includes(before))
      for (const place of out.slice(-2)) place.push(...countedForms(before, spelt, false))
  }
}

const strong = (...words: string[]): Spelled => ({ words, weak: false })

function ownSpellings(word: string, apostrophe: boolean): Spelled[] {
  const out: Spelled[] = []
  const counted = /^([a-z]+)(\d{1,3})$/.exec(word)
  if (counted) out.push(...countedForms(counted[1]!, Number(counted[2]), true))
  if (/^[123]\d$/.test(word)) out.push({ words: [`20${word}`], weak: !apostrophe })
  if (/^20[123]\d$/.test(word)) out.push({ words: [word.slice(2)], weak: true })
  if (/\d/.test(word)) return out
  for (const form of known.get(word) ?? []) if (form !== word) out.push(strong(form))
  for (const plural of pluralsOf(word)) out.push(strong(plural))
  if (word.length >= 5)
    for (const [british, american] of ENDINGS) {
      if (word.endsWith(british)) out.push(strong(word.slice(0, -british.length) + american))
      else if (word.endsWith(american)) out.push(strong(word.slice(0, -american.length) + british))
    }
  if (/[aou]e/.test(word)) out.push(strong(word.replace(/([aou])e/g, '$1')))
  return out
}

/** Returns the singular and plural of a word. */
function pluralsOf(word: string): string[] {
  if (word.length < 3) return []
  const out = [`${word}s`, `${word}es`]
  if (/[^aeiou]y$/.test(word)) out.push(`${word.slice(0, -1)}ies`)
  if (word.length < 4) return out
  if (word.endsWith('ies')) out.push(`${word.slice(0, -3)}y`)
  if (word.endsWith('es')) out.push(word.slice(0, -2))
  if (/[^s]s$/.test(word)) out.push(word.slice(0, -1))
  return out
}

/** Parses a number in digits, words or Roman letters. */
function numberOf(word: string): number | null {
  if (/^\d{1,3}$/.test(word)) return Number(word)
  const spelt = NUMBER.indexOf(word)
  if (spelt > 0) return spelt
  const roman = ROMAN.indexOf(word)
  return roman > 0 ? roman : null
}

/** Returns "wave 12", "wv 12", "w12", "wave twelve", "wave xii" for any of them; `run` if it was typed as one word. */
function countedForms(form: string, number: number, run: boolean): Spelled[] {
  const out: Spelled[] = []
  for (const forms of COUNTED) {
    if (!forms.includes(form)) continue
    for (const other of forms) {
      if (!run || other !== form) out.push(strong(`${other}${number}`))
      if (run || other !== form) out.push(strong(other, String(number)))
      const spelt = NUMBER[number]
      if (spelt) out.push(strong(other, spelt))
      const roman = ROMAN[number]
      if (roman && other.length > 1) out.push(strong(other, roman))
    }
  }
  return out
}
