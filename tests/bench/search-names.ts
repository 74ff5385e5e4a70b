import type { Entity } from '../../src/search/types.ts'

/** A small deterministic generator of numbers in [0, 1). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const THEMES =
  'Summer,Winter,Spring,Autumn,Holiday,Back to School,Black Friday,Super Bowl,New Year,Easter,Brand,Ad,Concept,Product,Package,Price,Customer,Shopper,Employee,Patient,Physician,Voter,Traveler,Gamer,Driver,Homeowner,Student,Parent,Pet Owner,Small Business,Loyalty,Mobile,Streaming,Grocery,Delivery,Checkout,Insurance,Mortgage,Credit Card,Electric Vehicle,Sneaker,Coffee,Snack,Beverage,Skin Care,Vitamin,Wellness,Fitness,Hotel,Airline,Cruise,Podcast,Radio,Television,Outdoor,Social Media,Search,Display,Drive Thru,Convenience Store,Gift Card,Subscription'.split(
    ',',
  )
const TYPES =
  'Tracker,Survey,Lift Study,Awareness Study,Usage and Attitudes,Segmentation,Conjoint,MaxDiff,Diary,Panel,Pulse,Poll,Omnibus,Concept Test,Copy Test,Usability Test,Satisfaction Study,Exit Interview,Recontact,Screener,Pilot,Soft Launch,Visitation,Foot Traffic Study,Brand Health,Campaign,Benchmark,Deep Dive,Audit,Feasibility'.split(
    ',',
  )
const PLACES =
  'US,UK,Canada,Texas,California,New York,Florida,Chicago,Boston,Atlanta,Seattle,Denver,Phoenix,Northeast,Midwest,Southwest,São Paulo,México,Montréal,Köln,Zürich,Malmö,Kraków,Côte d’Azur,Bogotá,Global,National,Los Angeles,Las Vegas,San José'.split(
    ',',
  )
const TRADES =
  'Foods,Bank,Health,Motors,Energy,Media,Labs,Retail,Airlines,Hotels,Insurance,Pharma,Beverages,Software,Telecom,Group,Brands,Partners,Holdings,Research,Studios,Outdoor,Financial,Logistics,Sports,Beauty,Home,Farms,Games,Systems'.split(
    ',',
  )
const FIRSTS =
  'James,Mary,Robert,Patricia,John,Jennifer,Michael,Linda,David,Elizabeth,William,Barbara,Richard,Susan,Joseph,Jessica,Thomas,Karen,Daniel,Sarah,Matthew,Lisa,Anthony,Nancy,Mark,Sandra,José,María,André,Zoë,Chloé,Søren,Jürgen,Łukasz,Agnieszka,Håkon,Ingrid,Siobhán,Renée,François,Björn,Ana,Carlos,Wei,Mei,Hiroshi,Yuki,Aisha,Omar,Fatima,Priya,Raj,Olga,Ivan,Noah,Emma,Liam,Olivia,Ethan,Ava,Lucas,Mia,Mason,Isabella,Logan,Sophia,Jacob,Amelia,Jackson,Harper,Aiden,Evelyn,Samuel,Abigail,Sebastian,Emily,Henry,Ella,Owen,Scarlett,Gabriel,Grace,Carter,Victoria,Jayden,Riley,Luke,Aria,Isaac,Lily,Anna,Violet,Caleb,Nora'.split(
    ',',
  )
const STARTS = 'b,br,c,ch,cl,cr,d,dr,f,fl,g,gr,h,j,k,kl,l,m,n,p,pr,qu,r,s,sh,st,t,th,tr,v,w,z'.split(',')
const MIDDLES = 'a,e,i,o,u,ai,ea,ou,ar,er,or,an,en,in,on,al,el'.split(',')
const ENDS =
  'ber,co,dale,den,do,dra,field,ford,gen,ham,ker,la,ler,lin,man,mer,mont,nex,nia,ra,ric,rix,ro,san,ser,son,ta,ton,tra,va,vex,via,well,wick,win,wood,zen'.split(
    ',',
  )

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

/** `count` marketplace entities with distinct names (projects, people, clients, partners), the same for a seed. */
export function makeEntities(count: number, seed = 7): Entity[] {
  const next = random(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  /** A few occur often, many rarely, as in life. */
  const favourite = <T>(list: readonly T[]): T => list[Math.floor(next() ** 2 * list.length)]!
  const coin = (chance: number): boolean => next() < chance
  const invent = (): string =>
    capital(pick(STARTS) + pick(MIDDLES) + (coin(0.35) ? pick(STARTS) + pick(MIDDLES) : '') + pick(ENDS))
  const distinct = (many: number, make: () => string): string[] => {
    const set = new Set<string>()
    while (set.size < many) set.add(make())
    return [...set]
  }
  const stems = distinct(Math.max(60, Math.min(6000, Math.round(count / 40))), invent)
  const lasts = distinct(Math.max(100, Math.min(9000, Math.round(count / 20))), invent)
  const clients = distinct(Math.max(40, Math.min(20_000, Math.round(count / 25))), () =>
    coin(0.12)
      ? `${pick(stems)} & ${pick(stems)}`
      : coin(0.1)
        ? `${pick(stems)} of ${pick(PLACES)}`
        : `${pick(stems)} ${pick(TRADES)}`,
  )
  const taken = new Set<string>()
  const entities: Entity[] = []
  const add = (kind: string, name: string, detail: string, code?: string): void => {
    if (taken.has(name)) return
    taken.add(name)
    const id = 1000 + entities.length
    const entity: Entity = { key: `${kind}:${id}`, kind, id, name, detail }
    if (code !== undefined) entity.code = `${code}-${id}`
    entities.push(entity)
  }
  while (entities.length < count) {
    const dice = next()
    if (dice < 0.02) add('client', favourite(clients), 'Client')
    else if (dice < 0.16)
      add(
        'person',
        `${pick(FIRSTS)}${coin(0.3) ? ` ${pick(FIRSTS)}` : ''} ${pick(lasts)}`,
        `${pick(FIRSTS).toLowerCase()}@example.com`,
      )
    else if (dice < 0.17) add('partner', `${pick(stems)} ${pick(['Panel', 'Sample', 'Audience', 'Insights'])}`, 'Partner')
    else {
      const client = favourite(clients)
      const parts = [client, favourite(THEMES), pick(TYPES)]
      if (coin(0.35)) parts.push(pick(PLACES))
      if (coin(0.3)) parts.push(pick(['Wave 1', 'Wave 2', 'Wave 3', 'Wave 4', 'W5', 'Phase 2', 'Round 3']))
      if (coin(0.4)) parts.push(pick(['Q1', 'Q2', 'Q3', 'Q4', '2023', '2024', '2025', '2026', 'Q1 2026', 'H2 2025']))
      if (coin(0.08)) parts.push('(copy)')
      add('project', parts.join(coin(0.1) ? ' - ' : ' '), `${client} · active`, 'P')
    }
  }
  // Flat strings rather than ropes, as from a server's response.
  return JSON.parse(JSON.stringify(entities)) as Entity[]
}
