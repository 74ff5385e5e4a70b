import { foldText, nameKey } from './foldText.ts'
import { withoutEnd } from './textEnds.ts'

/** A US address split into parts; a part that wasn't found is empty. */
export interface AddressParts {
  street: string
  city: string
  /** Two letters. */
  state: string
  /** Five digits. */
  zip: string
}

/** TABLE  US states, the District of Columbia and territories, by code. */
export const STATES: Readonly<Record<string, string>> = {
  ...{ AL: 'Alabama', AK: 'Alaska', AZ: 'Arizona', AR: 'Arkansas', CA: 'California', CO: 'Colorado', CT: 'Connecticut' },
  ...{ DE: 'Delaware', DC: 'District of Columbia', FL: 'Florida', GA: 'Georgia', HI: 'Hawaii', ID: 'Idaho', IL: 'Illinois' },
  ...{ IN: 'Indiana', IA: 'Iowa', KS: 'Kansas', KY: 'Kentucky', LA: 'Louisiana', ME: 'Maine', MD: 'Maryland' },
  ...{ MA: 'Massachusetts', MI: 'Michigan', MN: 'Minnesota', MS: 'Mississippi', MO: 'Missouri', MT: 'Montana' },
  ...{ NE: 'Nebraska', NV: 'Nevada', NH: 'New Hampshire', NJ: 'New Jersey', NM: 'New Mexico', NY: 'New York' },
  ...{ NC: 'North Carolina', ND: 'North Dakota', OH: 'Ohio', OK: 'Oklahoma', OR: 'Oregon', PA: 'Pennsylvania' },
  ...{ RI: 'Rhode Island', SC: 'South Carolina', SD: 'South Dakota', TN: 'Tennessee', TX: 'Texas', UT: 'Utah' },
  ...{ VT: 'Vermont', VA: 'Virginia', WA: 'Washington', WV: 'West Virginia', WI: 'Wisconsin', WY: 'Wyoming' },
  ...{ PR: 'Puerto Rico', VI: 'Virgin Islands', GU: 'Guam', AS: 'American Samoa', MP: 'Northern Mariana Islands' },
}
const byName = new Map(Object.entries(STATES).map(([code, name]) => [name.toLowerCase(), code]))

/** Returns the code of a state by code or name, in any case; null for an unknown state. */
export function stateCode(text: string): string | null {
  const plain = nameKey(text).replace(/\./g, '').replace(/ +/g, ' ').trim()
  const code = plain.toUpperCase()
  return code in STATES ? code : (byName.get(plain) ?? null)
}

/** True for a five-digit ZIP code or ZIP+4. */
export const isZip = (text: string): boolean => /^\d{5}(?:-?\d{4})?$/.test(nameKey(text))
/** What is wrong with a ZIP code: a write warns of it, and a line of a file is refused for it. */
export const zipFault = (zip: string): string | null =>
  zip && !isZip(zip) ? `ZIP ${zip} is not a ZIP code of 5 or 9 digits` : null

/** TABLE  USPS abbreviations (Publication 28) of streets, directions and units, with their common spellings. */
const USPS = `
  aly=alley anx=annex arc=arcade ave=avenue,av,aven,avenu,avn,avnue byu=bayou bch=beach bnd=bend blf=bluff
  blfs=bluffs btm=bottom blvd=boulevard,boul,boulv br=branch brg=bridge brk=brook byp=bypass cp=camp cyn=canyon
  cpe=cape cswy=causeway ctr=center,centre,cent,cntr cir=circle,circ clf=cliff clfs=cliffs clb=club cmn=common
  cmns=commons cor=corner cors=corners crse=course ct=court cts=courts cv=cove crk=creek cres=crescent crst=crest
  xing=crossing,crossings,crssng xrd=crossroad curv=curve dl=dale dm=dam dv=divide dr=drive,driv,drv est=estate
  ests=estates expy=expressway,express,expw ext=extension fls=falls fry=ferry fld=field flds=fields flt=flat
  frd=ford frst=forest frg=forge frk=fork frks=forks ft=fort fwy=freeway,frwy gdn=garden gdns=gardens gtwy=gateway
  gln=glen grn=green grv=grove hbr=harbor hvn=haven hts=heights hwy=highway,highwy,hiway hl=hill hls=hills
  holw=hollow inlt=inlet is=island iss=islands jct=junction ky=key knl=knoll lk=lake lks=lakes lndg=landing
  ln=lane lgt=light lf=loaf lck=lock ldg=lodge loop=loops mnr=manor mdw=meadow mdws=meadows ml=mill mls=mills
  msn=mission mtwy=motorway mt=mount mtn=mountain nck=neck orch=orchard opas=overpass
  pkwy=parkway,parkwy,pkway,pky,parkways psge=passage pike=pike pne=pine pnes=pines pl=place pln=plain plns=plains
  plz=plaza,plza pt=point pts=points prt=port pr=prairie radl=radial rnch=ranch rpds=rapids rdg=ridge riv=river
  rd=road rds=roads rte=route shl=shoal shr=shore shrs=shores skwy=skyway spg=spring spgs=springs
  sq=square,sqr,squ sta=station strm=stream st=street,str,strt smt=summit ter=terrace,terr trwy=throughway
  trce=trace trak=track trl=trail,trails tunl=tunnel tpke=turnpike,trnpk upas=underpass un=union vly=valley
  via=viaduct vw=view vws=views vlg=village vl=ville vis=vista walk=walks way=way wls=wells n=north s=south e=east
  w=west ne=northeast nw=northwest se=southeast sw=southwest apt=apartment bldg=building dept=department fl=floor
  frnt=front hngr=hanger lbby=lobby lowr=lower ofc=office ph=penthouse rm=room spc=space ste=suite trlr=trailer
  uppr=upper 1st=first 2nd=second 3rd=third 4th=fourth 5th=fifth 6th=sixth 7th=seventh 8th=eighth 9th=ninth
  10th=tenth
  `
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  USPS.trim()
    .split(/\s+/)
    .flatMap((row) => {
      const [short, long] = row.split('=') as [string, string]
      return long.split(',').map((word) => [word, short])
    }),
)
/** Designators that come before a unit's number; they compare as equal. */
const UNITS: ReadonlySet<string> = new Set(['apt', 'unit', 'ste', 'rm', 'spc', 'no', 'number', '#'])

/**
 * Normalizes an address and ZIP for comparison (screens-people-places-rewards.md, Places).
 * Ignores case, spaces, punctuation and USPS abbreviations of streets, directions and units.
 * Returns an empty text for an address without letters or digits.
 */
export function normalizeAddress(address: string, zip: string): string {
  const words = foldText(address)
    // Joins "N.E." into one word.
    .replace(/\b([nsew])\.\s*([nsew])?\.?(?=\s|,|$)/g, '$1$2')
    .replace(/['’`.]/g, '')
    .replace(/#\s*/g, ' # ')
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map((word) => WORDS[word] ?? word)
  const units = words.map((word, at) => (UNITS.has(word) && at > 0 && at < words.length - 1 ? '#' : word))
  // "Suite # 4" names the unit twice; drop the "#".
  const plain = units.filter((word, at) => word !== '#' || units[at - 1] !== '#')
  if (!plain.some((word) => word !== '#')) return ''
  return `${plain.join(' ')}|${foldText(zip).replace(/\D/g, '').slice(0, 5)}`
}

/** Words that end a street. What follows one without a comma is the city. */
const SUFFIXES: ReadonlySet<string> = new Set(
  'aly ave blvd cir ct cts cv dr expy fwy hwy ln loop pike pkwy pl plz rd rte sq st ter tpke trl way xing'.split(' '),
)
const DIRECTIONS: ReadonlySet<string> = new Set(['n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw'])
const plainWord = (word: string) => WORDS[word.toLowerCase().replace(/\./g, '')] ?? word.toLowerCase().replace(/\./g, '')

/** Splits "12 Main St Boston" after the street's suffix, direction and unit. */
function cityBehindStreet(text: string): [street: string, city: string] {
  const words = text.split(' ')
  let end = words.findLastIndex((word, at) => at > 0 && at < words.length - 1 && SUFFIXES.has(plainWord(word)))
  if (end < 0) return [text, '']
  // In "12 St James Ave" the first suffix is part of the name, so take the last one.
  if (DIRECTIONS.has(plainWord(words[end + 1]!)) && end + 2 < words.length) end += 1
  const unit = plainWord(words[end + 1]!)
  if (UNITS.has(unit) || unit.startsWith('#')) end += unit.length > 1 && unit.startsWith('#') ? 1 : 2
  const city = words.slice(end + 1).join(' ')
  return city && !/\d/.test(city) ? [words.slice(0, end + 1).join(' '), city] : [text, '']
}

const isSeparator = (sign: string) => sign === ' ' || sign === ','

/**
 * Splits an address typed or pasted on one or several lines:
 * "120 Main Street, Suite 4, Boston, MA 02108-1234, USA". Uncertain parts stay in the street.
 */
export function parseAddress(text: string): AddressParts {
  let rest = text
    .replace(/[\r\n;|\t]+/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/(?: ?,)+ ?/g, ', ')
    .replace(/^, |, ?$/g, '')
    .trim()
    .replace(/,? (?:USA|U\.S\.A\.|US|United States(?: of America)?)\.?$/i, '')
  let zip = ''
  const ended = /(?:^|[ ,])(\d{5})(?:-?\d{4})?$/.exec(rest)
  // A number alone before the comma is a house number.
  if (ended && ended.index > 0) {
    zip = ended[1]!
    rest = withoutEnd(rest.slice(0, ended.index), isSeparator)
  }
  let state = ''
  for (const words of [3, 2, 1]) {
    const tail = new RegExp(`(?:^|[ ,]+)((?:[A-Za-z.]+ ){${words - 1}}[A-Za-z.]+)$`).exec(rest)
    if (!tail || tail.index === 0) continue
    const code = stateCode(tail[1]!)
    const before = rest[tail.index]
    // "12 Virginia" and "5 Court CT" may be streets, so a state needs a comma, a ZIP after it, or capitals.
    const sure = zip || before === ',' || (tail[1] === code && /,/.test(rest.slice(0, tail.index)))
    if (!code || !sure) continue
    // "Washington DC" is not a city in Washington State.
    state = code
    rest = withoutEnd(rest.slice(0, tail.index), isSeparator)
    break
  }
  if (!zip && !state) {
    const parts = rest.split(', ')
    const last = parts.at(-1) ?? ''
    // A last part of letters only, after a street with a number, is the city.
    if (parts.length > 1 && /\d/.test(parts[0]!) && /^[\p{L} .'’-]+$/u.test(last) && !UNITS.has(plainWord(last.split(' ')[0]!)))
      return { street: parts.slice(0, -1).join(', '), city: last, state, zip }
    return { street: rest, city: '', state, zip }
  }
  const comma = rest.lastIndexOf(', ')
  if (comma >= 0) {
    const last = rest.slice(comma + 2)
    const isUnit = /\d/.test(last) || UNITS.has(plainWord(last.split(' ')[0]!))
    return isUnit ? { street: rest, city: '', state, zip } : { street: rest.slice(0, comma), city: last, state, zip }
  }
  const [street, city] = cityBehindStreet(rest)
  return { street, city, state, zip }
}
