/* Names of a market-research marketplace by an outsider who knew nothing of the searcher; the same for every run.
 * The first 100,000 are the start of the million. */

/** A name with what its row shows. */
export type Named = { id: number; kind: string; name: string; code: string; detail: string; weight: number; status: string }

const rng = (seed: number) => {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = a
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
const L = (s: string) => s.trim().split(/\s*,\s*|\s*\n\s*/)
const SEASON = L(
  "Summer,Winter,Spring,Autumn,Fall,Holiday,Christmas,Easter,Back to School,Black Friday,Ramadan,Diwali,Halloween,Thanksgiving,Mid-Year,Year-End,Lent,Mother's Day,Father's Day,Super Bowl,World Cup",
)
const CATEGORY = L(
  `Snack,Pet Food,Cat Litter,Dog Treats,Ice Cream,Yogurt,Yoghurt,Chocolate,Biscuits,Crisps,Frozen Pizza,Ready Meals,Breakfast Cereal,Oat Milk,Plant-Based Meat,Coffee,Cold Brew,Tea,Energy Drinks,Soft Drinks,Craft Beer,Hard Seltzer,Wine,Whisky,Gin,Bottled Water,Baby Food,Diapers,Baby Formula,Shampoo,Conditioner,Skincare,Sunscreen,Deodorant,Toothpaste,Razor,Fragrance,Cosmetics,Lipstick,Hair Colour,Laundry Detergent,Dishwasher Tabs,Household Cleaners,Air Care,Toilet Paper,Paper Towels,Candles,Garden Tools,Power Tools,Paint,Flooring,Mattress,Furniture,Kitchen Appliances,Vacuum Cleaners,Washing Machines,Smart Home,Smart TV,Smartphone,Headphones,Laptops,Wearables,Gaming Consoles,Mobile Games,Streaming,Podcast,News Media,Magazine,Broadband,Mobile Network,5G,Electricity,Home Energy,Solar Panels,Heat Pumps,EV Charging,Electric Vehicles,Used Cars,Car Insurance,Tyres,Motor Oil,Ride Hailing,Airline,Hotels,Cruise,Theme Parks,Travel Insurance,Car Rental,Retail Banking,Credit Cards,Mortgage,Pensions,Life Insurance,Health Insurance,Wealth Management,Crypto,Buy Now Pay Later,Payments,Fintech,Fast Food,Coffee Shops,Food Delivery,Meal Kits,Grocery,Convenience Stores,DIY Retail,Fashion,Sneakers,Denim,Luxury Watches,Jewellery,Eyewear,Toys,Books,Stationery,Sports Nutrition,Vitamins,Pain Relief,Cough & Cold,Allergy,Diabetes,Oncology,Dermatology,Vaccines,Dental,Contact Lenses,Hearing Aids,Physician,Pharmacist,Patient Journey,Nurse,Hospital,Employee Engagement,Workplace,Higher Education,Charity,Public Transport,Housing,Local Government,Voter,Sustainability,Packaging,Recycling,Private Label,Loyalty Programme,E-Commerce,Click & Collect,Customer Service`,
)
const TYPE = L(
  `Tracker,Brand Tracker,Brand Health Tracker,Ad Tracker,Concept Test,Ad Test,Copy Test,Pack Test,Product Test,Taste Test,Price Test,Pricing Study,Conjoint,MaxDiff,U&A,Usage & Attitudes,Segmentation,Shopper Study,Shopper Journey,Path to Purchase,Customer Satisfaction,CSAT,NPS,Mystery Shopping,Exit Interviews,Omnibus,Diary Study,Photo Diary,Video Diary,Home Use Test,IHUT,CLT,Focus Groups,Online Community,Bulletin Board,Ethnography,Needs Assessment,Concept Screener,Claims Test,Name Test,Logo Test,Campaign Evaluation,Post-Campaign,Pre-Launch,Launch Monitor,Brand Lift,Media Mix,Awareness Study,Perception Study,Equity Study,Positioning,Idea Screening,Volume Forecast,Churn Study,Win-Back,Onboarding Survey,Pulse Survey,Employee Survey,Social Listening,Influencer Campaign,Store Audit,Shelf Test,Store Visit,Website Test,UX Test,App Test,Creative Test,Storyboard Test,Trailer Test,Deep Dive,Market Sizing,Trend Report`,
)
const COUNTRY = L(
  'US,UK,DE,FR,IT,ES,NL,BE,PL,SE,NO,DK,FI,AT,CH,CZ,HU,RO,GR,TR,UAE,KSA,EG,ZA,NG,KE,IN,CN,JP,KR,TH,VN,ID,MY,SG,PH,AU,NZ,CA,MX,BR,AR,CL,CO,Germany,France,Italy,Spain,Poland,Brazil,Mexico,India,China,Japan,Canada,Nordics,DACH,Benelux,GCC,LATAM,APAC,EMEA,Global,North America,Midwest,Pacific Northwest,Northern Ireland,Scotland',
)
const AUD = L(
  'Gen Z,Millennials,Boomers,Moms,Dads,Parents 0-3,Teens,Students,Heavy Users,Light Users,Lapsed Users,Non-Users,Switchers,Early Adopters,Decision Makers,SMB,B2B,HCP,Cardiologists,Dentists,Vets,Farmers,Truck Drivers,Homeowners,Renters,Pet Owners,Cat Owners,Dog Owners,Gamers,Runners,Commuters,Frequent Flyers,High Net Worth,Low Income,Hispanic,Rural,Urban,18-34,25-44,55+',
)
const FIRST = L(
  `James,Mary,Robert,Patricia,John,Jennifer,Michael,Linda,David,Elizabeth,William,Barbara,Richard,Susan,Joseph,Jessica,Thomas,Sarah,Christopher,Karen,Daniel,Lisa,Matthew,Nancy,Anthony,Sandra,Mark,Ashley,Steven,Emily,Andrew,Kimberly,Paul,Donna,Joshua,Michelle,Kenneth,Carol,Kevin,Amanda,Brian,Melissa,Timothy,Deborah,Ronald,Stephanie,Jason,Rebecca,George,Laura,Edward,Helen,Jeffrey,Sharon,Ryan,Cynthia,Jacob,Kathleen,Nicholas,Amy,Gary,Angela,Eric,Shirley,Jonathan,Emma,Stephen,Brenda,Larry,Pamela,Justin,Nicole,Scott,Anna,Brandon,Samantha,Benjamin,Katherine,Samuel,Christine,Gregory,Debra,Alexander,Rachel,Patrick,Olivia,Frank,Carolyn,Raymond,Maria,Jack,Heather,Dennis,Diane,Jerry,Julie,Olga,Sergei,Dmitri,Ivan,Natalia,Tatiana,Marek,Agnieszka,Katarzyna,Piotr,Jürgen,Günther,Björn,Åsa,Søren,Jørgen,François,Zoë,Chloé,Renée,José,María,Jesús,Íñigo,João,Inês,Tomás,Lucía,Mehmet,Ayşe,Çağla,Ömer,Fatima,Mohammed,Ahmed,Aisha,Yusuf,Leila,Priya,Rahul,Ananya,Arjun,Wei,Mei,Hiroshi,Yuki,Min-jun,Ji-woo,Nguyễn,Thảo,Siobhán,Aoife,Niamh,Ewa,Łukasz,Jiří,Zdeněk,Zoltán,Gábor,Ștefan,Ioana,Giulia,Marco,Chiara,Luca,Kwame,Chinedu,Amara,Thandiwe`,
)
const LAST = L(
  `Smith,Johnson,Williams,Brown,Jones,Garcia,Miller,Davis,Rodriguez,Martinez,Hernandez,Lopez,Gonzalez,Wilson,Anderson,Thomas,Taylor,Moore,Jackson,Martin,Lee,Perez,Thompson,White,Harris,Sanchez,Clark,Ramirez,Lewis,Robinson,Walker,Young,Allen,King,Wright,Scott,Torres,Nguyen,Hill,Flores,Green,Adams,Nelson,Baker,Hall,Rivera,Campbell,Mitchell,Carter,Roberts,O'Brien,O'Connor,McDonald,MacLeod,Fitzgerald,Müller,Schäfer,Großmann,Weiß,Köhler,Schröder,Lefèvre,Dupré,Château,Núñez,Muñoz,Peña,Gonçalves,Magalhães,Đorđević,Novák,Dvořák,Kowalczyk,Wiśniewski,Wójcik,Łukaszewski,Sørensen,Østergaard,Åkerlund,Björklund,Yılmaz,Şahin,Öztürk,Ivanov,Petrova,Smirnov,Kuznetsova,Patel,Sharma,Gupta,Iyer,Chatterjee,Wang,Zhang,Chen,Tanaka,Suzuki,Watanabe,Kim,Park,Choi,Okafor,Adeyemi,Mensah,Ndlovu,van der Berg,de Vries,van den Heuvel,D'Angelo,De Luca,Di Stefano,Papadopoulos,Georgiou,Levy,Cohen,Haddad,Khoury,Al-Farsi,El-Sayed,Rossi,Bianchi,Ferrari,Esposito,Nagy,Szabó,Popescu,Ionescu,Hofstadter,Lindqvist,Underwood,Abernathy,Castellanos,Whitfield,Blackwood,Ravenscroft,Pemberton,Hollingsworth,Thistlewood,Bickerstaff`,
)
const BASE = L(
  `Acme,Northwind,Tidewater,Bluebird,Redwood,Silver Lake,Golden Gate,Harbor,Summit,Pinnacle,Cascade,Evergreen,Lighthouse,Compass,Anchor,Beacon,Meadow,Orchard,Willow,Maple,Juniper,Cedar,Birch,Clover,Heather,Bramble,Fox,Otter,Heron,Falcon,Kestrel,Osprey,Swift,Raven,Lynx,Bison,Mustang,Stallion,Phoenix,Griffin,Titan,Atlas,Orion,Vega,Nova,Luna,Solaris,Zenith,Apex,Vertex,Quantum,Fusion,Vortex,Matrix,Nexus,Prism,Spectrum,Mosaic,Tapestry,Canvas,Palette,Velvet,Saffron,Cinnamon,Ginger,Pepper,Basil,Thyme,Olive,Citrus,Mango,Papaya,Coral,Pearl,Amber,Jade,Ruby,Sapphire,Onyx,Granite,Marble,Slate,Copper,Bronze,Iron,Steel,Cobalt,Nickel,Platinum,Royal,Crown,Regal,Noble,Liberty,Patriot,Pioneer,Frontier,Horizon,Voyager,Explorer,Nomad,Wander,Journey,Odyssey,Saga,Epic,Legend,Fable,Story,Chapter,Verse,Sonnet`,
)
const TRADE = L(
  `Foods,Snacks,Beverages,Breweries,Bakeries,Dairy,Farms,Pet Care,Cleaning,Cosmetics,Beauty,Health,Pharma,Biotech,Medical,Dental,Insurance,Bank,Capital,Financial,Energy,Power,Solar,Motors,Automotive,Tyres,Airlines,Hotels,Travel,Cruises,Telecom,Mobile,Networks,Media,Studios,Games,Toys,Fashion,Apparel,Footwear,Jewellers,Optics,Electronics,Appliances,Furniture,Interiors,Paints,Tools,Hardware,Logistics,Shipping,Railways,Realty,Homes,Education,Publishing,Research,Insights,Analytics,Consulting,Software,Systems,Robotics,Packaging,Paper,Chemicals,Materials,Textiles,Retail,Stores,Markets,Grocers,Kitchens,Coffee Roasters,Tea Company,Water,Spirits,Wines`,
)
const FORM = L(
  `Inc.,Inc,LLC,Ltd,Ltd.,Limited,Co.,Corp.,Corporation,Group,Holdings,International,Intl.,GmbH,AG,S.A.,SAS,S.p.A.,B.V.,AB,A/S,Oy,Pty Ltd,plc,PLC,Partners,& Co.,& Sons,Bros.,Brothers,Worldwide,Global,Europe,North America,,,,,,,,`,
).map((x) => x)
const SYL1 = L(
  'Ba,Be,Bo,Bra,Ca,Ce,Cor,Cu,Da,De,Dor,Du,Fa,Fe,Fi,Flo,Ga,Ge,Gli,Gra,Ha,He,Hu,Jo,Ka,Ke,Kri,Ku,La,Le,Lo,Lu,Ma,Me,Mi,Mo,Na,Ne,No,Nu,Or,Pa,Pe,Pla,Pro,Qua,Ra,Re,Ro,Sa,Se,Si,Sto,Su,Ta,Te,Tri,Tu,Va,Ve,Vi,Vo,Wa,We,Xe,Ya,Ye,Za,Ze,Zo',
)
const SYL2 = L(
  'bel,ber,bo,cade,can,cer,da,del,dis,dor,fe,fin,ga,gen,gra,la,len,lin,lo,mar,men,mi,mon,na,nel,ni,nor,pa,pel,ra,ren,ri,ro,sa,sel,sto,ta,tel,ti,tor,va,vel,vi,xa,zan,zo',
)
const SYL3 = L(
  'a,ra,ro,co,dia,ex,go,ia,ic,io,is,ium,ix,lo,lux,max,mo,na,net,no,nova,on,ora,os,pro,ra,sys,ta,tech,tis,tra,va,via,vo,x,ys,za,zo',
)
const FAMOUS = L(
  `Nestlé,L'Oréal,Häagen-Dazs,McDonald's,Lay's,Ben & Jerry's,Kellogg's,Procter & Gamble,Johnson & Johnson,Coca-Cola,PepsiCo,Unilever,Danone,Mondelēz,Müller,Dr. Oetker,Beiersdorf,Lindt & Sprüngli,Ferrero,Barilla,Citroën,Škoda,Peugeot,Volkswagen,Mercedes-Benz,IKEA,H&M,Zara,Decathlon,Carrefour,Tesco,Sainsbury's,Marks & Spencer,Aldi Süd,Lidl,REWE,dm-drogerie,Rossmann,AT&T,T-Mobile,Telefónica,Vodafone,HSBC,Société Générale,Crédit Agricole,Santander,BBVA,Allianz,AXA,PetSmart,YouTube,PayPal,LinkedIn,FedEx,GlaxoSmithKline,AstraZeneca,Pfizer,Novartis,Bayer,eBay,iRobot,7-Eleven,3M,Levi's,Wendy's,Dunkin',Toys "R" Us,Yum! Brands,Moët & Chandon,Rémy Cointreau,Pão de Açúcar,Itaú,Petrobras,Grupo Éxito,Falabella,Ülker,Arçelik,Żabka,Żywiec,Plzeňský Prazdroj,Tän Hiep Phat,Vinamilk,Lotte,Samsung,LG,Shiseido,Kao,Meiji,Tata,Reliance,Godrej,Almarai,Emirates,Etisalat`,
)
const INTL: [string, ...string[][]][] = [
  // other scripts: [client, category, types...]
  [
    'Яндекс',
    ['Такси', 'Доставка', 'Маркет', 'Музыка'],
    ['Трекер бренда', 'Тест концепции', 'Исследование рынка', 'Опрос клиентов'],
    ['Весна', 'Осень', 'Волна 2', 'Волна 3'],
  ],
  [
    'Сбербанк',
    ['Кредитные карты', 'Ипотека', 'Вклады', 'Мобильное приложение'],
    ['Удовлетворённость', 'Тест рекламы', 'Трекер бренда'],
    ['Москва', 'Самара', '2024', '2025'],
  ],
  [
    'Газпром нефть',
    ['Автозаправки', 'Моторное масло'],
    ['Тайный покупатель', 'Опрос водителей'],
    ['Казань', 'Урал', 'Сибирь', '2025'],
  ],
  [
    'المراعي',
    ['حليب', 'عصير', 'زبادي'],
    ['اختبار المفهوم', 'متتبع العلامة التجارية', 'دراسة الأسعار'],
    ['الرياض', 'جدة', 'الإمارات', '٢٠٢٤'],
  ],
  ['اتصالات', ['الهاتف المحمول', 'الإنترنت'], ['رضا العملاء', 'استطلاع'], ['أبوظبي', 'دبي', 'الموجة ٢']],
  ['三得利', ['乌龙茶', '啤酒', '威士忌'], ['品牌追踪', '概念测试', '口味测试'], ['上海', '北京', '广州', '第二波']],
  ['伊利', ['酸奶', '牛奶', '冰淇淋'], ['包装测试', '消费者调研', '满意度调查'], ['成都', '2024', '春季']],
  ['サントリー', ['ビール', 'コーヒー', 'お茶'], ['ブランド調査', 'コンセプトテスト', '満足度調査'], ['東京', '大阪', '第3回']],
  ['資生堂', ['スキンケア', 'メイク', 'シャンプー'], ['パッケージテスト', '日記調査'], ['関西', '2025年']],
  ['삼성전자', ['스마트폰', '냉장고', '세탁기'], ['브랜드 추적', '만족도 조사', '컨셉 테스트'], ['서울', '부산', '3차']],
  ['ΔΕΗ', ['Ηλεκτρική ενέργεια', 'Φυσικό αέριο'], ['Έρευνα αγοράς', 'Ικανοποίηση πελατών'], ['Αθήνα', 'Θεσσαλονίκη', '2024']],
  ['בנק הפועלים', ['כרטיסי אשראי', 'משכנתאות'], ['סקר לקוחות', 'מעקב מותג'], ['תל אביב', 'חיפה', '2025']],
  ['Thế Giới Di Động', ['Điện thoại', 'Cà phê'], ['Khảo sát khách hàng', 'Thử nghiệm sản phẩm'], ['Hà Nội', 'Sài Gòn', 'Đợt 2']],
  [
    'Arçelik Türkiye',
    ['Çamaşır Makinesi', 'Buzdolabı'],
    ['Müşteri Memnuniyeti', 'Reklam Testi'],
    ['İstanbul', 'Diyarbakır', 'Eskişehir'],
  ],
]
const STATUS = L('Draft,Requested,Feasibility,Quoted,Approved,Live,Live,Live,Paused,Closed,Closed,Closed,Archived,Cancelled')
const TEAMWORD = L(
  'Insights,Fieldwork,Data Processing,Quality Control,Panel Operations,Client Services,Pricing,Scripting,Translation,Coding,Qualitative,Quantitative,Healthcare,B2B,Social,Video,Recruitment,Finance,Customer Service Department,Marketing Department,Consumer Lab',
)
const DOMTLD = ['com', 'com', 'com', 'co.uk', 'de', 'fr', 'io', 'net', 'org']
const ascii = (s: string) =>
  s
    .replace(/[łŁ]/g, 'l')
    .replace(/[øØ]/g, 'o')
    .replace(/[đĐ]/g, 'd')
    .replace(/ß/g, 'ss')
    .replace(/ı/g, 'i')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
const WAVES = ['W', 'Wave ', 'wave ', 'Wv ', 'Phase ', 'Round ', 'R', 'Pt ']
/** The first `n` names. */
export const generate = (n: number): Named[] => {
  const out = new Array<Named>(n),
    r = rng(20261),
    pick = <T>(a: readonly T[]): T => a[Math.floor(r() * a.length)]!,
    int = (a: number, b: number) => a + Math.floor(r() * (b - a + 1))
  const clients: string[] = []
  const clientName = () => {
    const x = r()
    if (x < 0.45)
      return `${pick(SYL1)}${pick(SYL2)}${r() < 0.5 ? pick(SYL3) : ''}${r() < 0.5 ? ` ${pick(TRADE)}` : ''} ${pick(FORM)}`.trim()
    if (x < 0.85) return `${pick(BASE)}${r() < 0.25 ? ` ${pick(BASE)}` : ''} ${pick(TRADE)} ${pick(FORM)}`.trim()
    if (x < 0.93) return `${pick(LAST)} & ${pick(LAST)} ${pick(FORM)}`.trim()
    return `${pick(BASE)}${pick(TRADE).split(' ')[0]} ${pick(FORM)}`.trim()
  }
  const period = () => {
    const x = r(),
      y = int(2021, 2026)
    if (x < 0.3) return `${y}`
    if (x < 0.5) return `Q${int(1, 4)} ${y}`
    if (x < 0.6) return `'${String(y).slice(2)}`
    if (x < 0.7) return `${pick(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])} ${y}`
    if (x < 0.8) return `H${int(1, 2)} ${y}`
    return ''
  }
  const wave = () => (r() < 0.45 ? `${pick(WAVES)}${int(1, 24)}` : '')
  const short = (c: string) =>
    c.replace(
      / (Inc\.?|LLC|Ltd\.?|Limited|Co\.|Corp\.|Corporation|Group|Holdings|GmbH|AG|S\.A\.|SAS|S\.p\.A\.|B\.V\.|AB|A\/S|Oy|Pty Ltd|plc|PLC|& Co\.)$/,
      '',
    )
  const projName = (c: string) => {
    const x = r()
    let s: string[]
    if (x < 0.2) s = [pick(SEASON), pick(CATEGORY), pick(TYPE), wave()]
    else if (x < 0.4) s = [short(c), pick(CATEGORY), pick(TYPE), pick(COUNTRY), period(), wave()]
    else if (x < 0.55) s = [pick(CATEGORY), pick(TYPE), r() < 0.6 ? pick(COUNTRY) : '', period(), wave()]
    else if (x < 0.65) s = [`${short(c)}:`, pick(CATEGORY), pick(TYPE), '–', pick(AUD)]
    else if (x < 0.72)
      s = [
        'Project',
        `${pick(SYL1)}${pick(SYL2)}${r() < 0.4 ? pick(SYL3) : ''}`,
        r() < 0.5 ? `– ${pick(CATEGORY)} ${pick(TYPE)}` : '',
        period(),
      ]
    else if (x < 0.82) s = [pick(AUD), pick(CATEGORY), pick(TYPE), `(${pick(COUNTRY)})`, wave()]
    else if (x < 0.92) s = [`${pick(COUNTRY)} |`, short(c), pick(TYPE), wave(), period()]
    else s = [pick(CATEGORY), 'for', `${pick(AUD)}:`, pick(TYPE), 'of the', pick(CATEGORY), 'market', period()]
    return s.filter(Boolean).join(' ')
  }
  let projNo = 10000,
    surNo = 200000
  for (let i = 0; i < n; i++) {
    const k = r(),
      wr = r(),
      weight = wr < 0.97 ? 0 : Math.round(r() ** 3 * 1000) / 1000
    let e: { kind: string; name: string; code: string; detail: string; status?: string }
    if (i < FAMOUS.length) {
      e = { kind: 'client', name: FAMOUS[i]!, code: `C-${1000 + i}`, detail: '' }
      clients.push(e.name)
    } else if (k < 0.02 || clients.length < 200) {
      const name = clientName()
      clients.push(name)
      e = { kind: 'client', name, code: `C-${1000 + i}`, detail: `${pick(COUNTRY)}` }
    } else if (k < 0.4) {
      const c = r() < 0.15 ? FAMOUS[Math.floor(r() * FAMOUS.length)]! : clients[Math.floor(r() ** 2 * clients.length)]!
      e = { kind: 'project', name: projName(c), code: `PRJ-${++projNo}`, detail: c, status: pick(STATUS) }
    } else if (k < 0.415) {
      const f = pick(INTL)
      const parts = [f[0], pick(f[1]!), pick(f[2]!), pick(f[3]!)]
      const noSp = /[぀-ヿ一-鿿]/.test(f[0])
      e = {
        kind: 'project',
        name: noSp ? `${parts[0]}${parts[1]}${parts[2]}（${parts[3]}） ${++projNo}` : `${parts.join(' ')} ${++projNo}`,
        code: `PRJ-${projNo}`,
        detail: f[0],
        status: pick(STATUS),
      }
    } else if (k < 0.7) {
      const c = clients[Math.floor(r() ** 2 * clients.length)]!
      e = {
        kind: 'survey',
        name: `${projName(c)}${r() < 0.5 ? ` ${pick(['Screener', 'Main', 'Main Questionnaire', 'Recontact', 'Pilot', 'Soft Launch', 'Full Launch', 'v2', 'v3', 'Boost', 'Follow-up', 'Consent Form'])}` : ''}`,
        code: `S${++surNo}`,
        detail: c,
        status: pick(STATUS),
      }
    } else if (k < 0.985) {
      const f = pick(FIRST),
        l = r() < 0.15 ? `${pick(LAST)}-${pick(LAST)}` : pick(LAST),
        c = clients[Math.floor(r() ** 2 * clients.length)]!,
        m = r() < 0.3 ? ` ${String.fromCharCode(65 + int(0, 25))}.` : ''
      const dom = `${ascii(c.split(' ').slice(0, 2).join('')) || 'mail'}.${pick(DOMTLD)}`
      const email =
        pick([
          `${ascii(f)}.${ascii(l)}`,
          `${ascii(f)[0]}${ascii(l)}`,
          `${ascii(f)}_${ascii(l)}${int(1, 99)}`,
          `${ascii(l)}.${ascii(f)[0]}`,
        ]) +
        '@' +
        dom
      const phone =
        r() < 0.35 ? `+${pick(['1', '44', '49', '33', '48'])} ${int(200, 989)} ${int(200, 999)} ${int(1000, 9999)}` : ''
      e = { kind: 'person', name: `${f}${m} ${l}`, code: '', detail: [email, phone].filter(Boolean).join(' · ') }
    } else
      e = {
        kind: 'team',
        name: `${pick(BASE)} ${pick(TEAMWORD)}${r() < 0.5 ? ` ${pick(COUNTRY)}` : ''}${r() < 0.3 ? ' Team' : ''}${r() < 0.3 ? ` ${int(1, 20)}` : ''}`,
        code: '',
        detail: `${int(2, 40)} members`,
      }
    out[i] = { id: i + 1, weight, status: '', ...e }
  }
  PLANTED.forEach(([kind, name, code, detail, weight, status], j) => {
    const at = 500 + j * 311
    out[at] = { id: at + 1, kind, name, code, detail, weight, status: status ?? '' }
  })
  return out
}
// Planted, so that hand-written queries have one clear result at either size.
// [kind, name, code, detail, weight, status]
const PLANTED: [string, string, string, string, number, string][] = [
  ['project', 'Summer Snack Tracker W3', 'PRJ-977120', 'Tidewater Foods Inc.', 0.9, 'Live'],
  ['project', 'Summer Snack Tracker W2', 'PRJ-976120', 'Tidewater Foods Inc.', 0.4, 'Closed'],
  ['project', 'Kingfisher Beer Occasions Study', 'PRJ-977121', 'Kingfisher Breweries Intl.', 0.5, 'Live'],
  ['client', 'Kingfisher Breweries Intl.', 'C-2000001', 'IN', 0.6, ''],
  ['client', 'Hallmark & Greaves Dept. Stores', 'C-2000002', 'UK', 0.3, ''],
  ['project', 'Hallmark & Greaves Colour Cosmetics Price Test', 'PRJ-977122', 'Hallmark & Greaves Dept. Stores', 0.35, 'Quoted'],
  ['client', 'Zollinger Räderwerk GmbH', 'C-2000003', 'DE', 0.2, ''],
  ['project', 'Kundenzufriedenheitsbefragung Zollinger Räderwerk 2025', 'PRJ-977123', 'Zollinger Räderwerk GmbH', 0.15, 'Live'],
  ['project', "O'Malley's Irish Stout Name Test – Gen Z", 'PRJ-977124', "O'Malley's Brewing Co.", 0.22, 'Live'],
  ['client', "O'Malley's Brewing Co.", 'C-2000004', 'IE', 0.3, ''],
  ['project', 'BrightSmile Toothpaste Home Use Test Phase 2', 'PRJ-977125', 'BrightSmile Dental Care LLC', 0.4, 'Approved'],
  ['client', 'BrightSmile Dental Care LLC', 'C-2000005', 'US', 0.3, ''],
  ['project', 'Co-op Loyalty Programme Re-Launch Q4 2025', 'PRJ-977126', 'Vantage Co-op Grocers', 0.31, 'Draft'],
  ['project', 'Quokka Mobile Games Churn Study Wave 12', 'PRJ-977127', 'Quokka Interactive Pty Ltd', 0.5, 'Live'],
  ['project', 'Quokka Mobile Games Churn Study Wave 11', 'PRJ-976127', 'Quokka Interactive Pty Ltd', 0.1, 'Closed'],
  ['client', 'Quokka Interactive Pty Ltd', 'C-2000006', 'AU', 0.2, ''],
  ['person', 'Marguerite Thibodeaux-Blanchard', '', 'm.thibodeaux@quokka.com.au · +61 412 555 0198', 0.3, ''],
  ['person', 'Bartholomew Quigley', '', 'bart.quigley@kingfisherbrew.in · +91 98450 11223', 0.2, ''],
  ['person', 'Xiomara Villaseñor', '', 'xvillasenor@brightsmile.com · +1 415 555 7782', 0, ''],
  ['person', 'Ðorđe Petrović', '', 'djordje.petrovic@zollinger.de', 0.1, ''],
  ['person', 'Søren Kjærgaard', '', 'soren@kjaergaardresearch.dk', 0.15, ''],
  ['person', 'Saoirse Ní Bhriain', '', 'saoirse@omalleys.ie', 0.1, ''],
  ['project', 'Pharmacist Perception of Psoriasis Biologics (KSA)', 'PRJ-977128', 'Meridian Pharmaceuticals', 0.3, 'Feasibility'],
  ['client', 'Meridian Pharmaceuticals', 'C-2000007', 'CH', 0.5, ''],
  ['survey', 'Physician Prescribing Questionnaire v4', 'S977001', 'Meridian Pharmaceuticals', 0.2, 'Live'],
  ['survey', 'Accommodation Booking Exit Survey', 'S977002', 'Wanderlust Hotels Group', 0.25, 'Live'],
  ['client', 'Wanderlust Hotels Group', 'C-2000008', 'ES', 0.1, ''],
  ['project', 'Wanderlust Hotels Guest Satisfaction – Mediterranean 2026', 'PRJ-977129', 'Wanderlust Hotels Group', 0.45, 'Live'],
  ['project', 'Usage & Attitudes: Oat Drink Barista Edition', 'PRJ-977130', 'Havrefabriken AB', 0.2, 'Live'],
  ['client', 'Havrefabriken AB', 'C-2000009', 'SE', 0.05, ''],
  ['project', 'Electric Scooter Sharing – Commuter Segmentation Paris', 'PRJ-977131', 'TrotiLib SAS', 0.2, 'Paused'],
  ['client', 'TrotiLib SAS', 'C-2000010', 'FR', 0.1, ''],
  ['project', 'Crème Brûlée Yoghurt Taste Test Île-de-France', 'PRJ-977132', 'Laiterie Dubœuf', 0.2, 'Live'],
  ['project', 'Вкусвилл Доставка Трекер бренда Волна 7', 'PRJ-977133', 'Вкусвилл', 0.2, 'Live'],
  ['project', 'Ёлка Молочные коктейли Тест упаковки', 'PRJ-977134', 'Ёлка', 0.1, 'Live'],
  ['project', 'دراسة الأسرة السعودية والقهوة العربية', 'PRJ-977135', 'قهوة الخليج', 0.2, 'Live'],
  ['project', '農夫山泉礦泉水品牌追蹤（台北）', 'PRJ-977136', '農夫山泉', 0.2, 'Live'],
  ['project', 'キリンビール新商品コンセプト調査 第5回', 'PRJ-977137', 'キリン', 0.2, 'Live'],
  ['project', '카카오뱅크 고객 만족도 조사', 'PRJ-977138', '카카오뱅크', 0.2, 'Live'],
  ['project', 'Έρευνα καταναλωτών Ελαιόλαδο Κρήτης', 'PRJ-977139', 'Ελαιώνες', 0.2, 'Live'],
  ['project', 'Diyarbakır Karpuz Şenliği Anketi', 'PRJ-977140', 'Işık İletişim', 0.2, 'Live'],
  ['project', 'Nghiên cứu Phở Đặc Biệt Hà Nội', 'PRJ-977141', 'Phở Vàng', 0.2, 'Live'],
  ['team', 'Hedgehog Qualitative Insights', '', '9 members', 0.3, ''],
  ['team', 'Customer Experience Management Dept.', '', '14 members', 0.2, ''],
  ['project', 'Back-to-School Backpack Shelf Test (Walmart Midwest)', 'PRJ-977142', 'Ridgeline Packs & Bags', 0.3, 'Live'],
  ['project', 'E-Bike Battery Recycling Attitudes NL', 'PRJ-977143', 'Fietskracht B.V.', 0.25, 'Live'],
  ['project', 'Week 3 Pulse: Warehouse Night Shift', 'PRJ-977144', 'Stevedore Logistics plc', 0.3, 'Live'],
  ['client', 'Stevedore Logistics plc', 'C-2000011', 'UK', 0.2, ''],
  ['project', 'Organic Fertiliser Usage Amongst Smallholders Part II', 'PRJ-977145', 'Greenfurrow Agri Ltd', 0.2, 'Live'],
  ['client', 'Greenfurrow Agri Ltd', 'C-2000012', 'KE', 0.2, ''],
  ['project', 'McAllister Bros. Whisky Collectors Conjoint 2026', 'PRJ-977146', 'McAllister Bros. Distillers', 0.35, 'Live'],
  ['client', 'McAllister Bros. Distillers', 'C-2000013', 'UK', 0.2, ''],
  ['client', 'Tidewater Cleaning Co.', 'C-2000014', 'US', 0.3, ''],
  ['client', 'Cloverleaf Dairy', 'C-2000015', 'US', 0.1, ''],
]
