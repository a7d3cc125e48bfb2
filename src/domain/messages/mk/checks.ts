import { CHECKS as ENGLISH } from '../en/checks.ts';
import { translationOf } from '../translation.ts';

export const CHECKS = translationOf(ENGLISH, {
  'check-eujp-id': 'EUJP-ID е внесен',
  'check-certificate': 'има сертификат',
  'check-delivery': 'праќањето не е запрено',
  'check-collected': 'влезните документи се собираат',
  'check-answers': 'УЈП одговара',
  'check-registered': 'регистарот го познава обврзникот',
  'check-signature': 'потписот е прифатен',
  'check-listed': 'влезните документи се излистуваат',
  'check-payloads': 'содржините можат да се преземат (право {code})',
  'check-pdfs': 'датотеките PDF можат да се преземат (право {code})',
  'check-containers': 'контејнерите можат да се преземат (право {code})',
  'check-acceptance': 'влезните документи можат да се прифатат или одбијат',

  'found-eujp-id': '{eujpId}',
  'found-no-eujp-id': 'Не е внесен',
  'found-no-certificate': 'Нема ниеден',
  'found-expired': '{serialNumber} истече на {at}',
  'found-days-left': '{serialNumber}, истекува за {days|ден|дена}',
  'found-few-days-left': '{serialNumber}, истекува за {days|ден|дена}; обновете го сега',
  'found-sending': 'Документите се праќаат',
  'found-stopped': 'Запрено од {since}, следен обид на {until}: {reason}',
  'found-stopped-due': 'Запрено од {since}, следен обид сега: {reason}',
  'found-nothing-in-way': 'Ништо не пречи',
  'found-problems': 'Проблеми: {problems}, најстариот од {since}: {reason}',
  'found-clock-agrees': 'Нејзиниот часовник се совпаѓа со нашиот',
  'found-clock-differs': 'Нејзиниот часовник отстапува од нашиот за {seconds} с; барањата се приспособуваат',
  'found-company': '{name}',
  'found-no-company': 'Регистарот нема таков обврзник',
  'found-changes': 'Промени на статусот денес: {changes}',
  'found-listed': 'Во последните {days|ден|дена}: {documents}',
  'found-not-refused': 'Не е одбиено поради право што недостига; немаше документ за преземање',
  'found-tried-with': 'Пробано со {euid}',
  'found-right-missing': 'Недостига правото {code}; се доделува во е-УЈП. {reason}',
  'found-not-testable': 'Не може да се провери без да се прифати документ',
  'found-failure': '{reason}',

  'trail-recognised': 'препознаени',
  'trail-unrecognised': 'непрепознаени',
  'trail-entry': 'Записот {id}',
  'trail-entry-of': 'Записот {id} од {at}',

  'trail-entry-changed': '{entry} е изменет откако бил запишан',
  'trail-entry-inserted': '{entry} е вметнат: ниеден печат не го наведува',
  'trail-entry-removed': '{entry} е отстранет од блокот {block}',
  'trail-entry-stray': '{entry} е вметнат: неговиот блок е {block}, а ниеден блок нема таков број',
  'trail-seal-stray': 'Вметнат е печат: неговиот блок е {block}, а ниеден блок нема таков број',
  'trail-entry-in-other-chain': '{entry} припаѓа на синџирот {chain}, но блокот {block} е од синџирот {other}',
  'trail-entry-without-seal': '{entry} е во блокот {block}, кој нема печат: печатот е отстранет или записот е вметнат',

  'trail-seal-inserted': 'Печатот на блокот {block} ({chain}) е вметнат: услугата не прави такви печати',
  'trail-seal-changed': 'Печатот на блокот {block} ({chain}) е изменет',
  'trail-seal-expired-alone': 'Печатот на блокот {block} ({chain}) е означен како истечен, а постарите блокови не се',
  'trail-seal-not-exported': 'Печатот на блокот {block} ({chain}) не е оној што беше извезен',
  'trail-seal-gap':
    'Печатот на блокот {block} ({chain}) не се надоврзува: она што е запечатено меѓу блокот {before} и него недостига или е во друг редослед',
  'trail-seal-no-beginning':
    'Печатот на блокот {block} ({chain}) не се надоврзува: почетокот на неговиот синџир недостига',
  'trail-block-missing':
    'Печатот на блокот {block} е отстранет: подоцнежните блокови се тука, а ниеден од нив не е истечен',
  'trail-expired-early':
    'Блокот {block} ({chain}) е означен како истечен, но е запечатен на {at} и се чува {days|ден|дена}: неговите записи се отстранети. Освен ако рокот на чување е зголемен потоа: тогаш проверете со поранешниот',
  'trail-exported-removed':
    'Печатот на блокот {block} ({chain}) е отстранет: синџирот почнува од блокот {first}, но извезениот печат од {at} не е истечен',
  'trail-no-seals':
    'Крајот е отсечен: синџирот {chain} нема печати, а извезениот печат од {at} завршува со блокот {block} и {entries|запис|записи}',
  'trail-cut-off':
    'Крајот е отсечен: синџирот {chain} завршува со блокот {last} и {found|запис|записи}, а извезениот печат од {at} завршува со блокот {block} и {entries|запис|записи}',
  'trail-adoption-changed':
    'Табелата audit_adoption е изменета: записите без отпечаток би се преземале до {until}, што не е во рок од еден ден од првиот печат',

  'trail-taken-over':
    'Записите без отпечаток се преземаат како што се најдени, до {until}: {entries} од оние што чекаат. Тоа е така само по надградба од верзија без печати',
  'trail-late':
    'Записи што се запечатени повеќе од еден час по времето што го наведуваат: {entries}, првиот од нив {first}; од пред печатите, по прекин на базата, или со понапред ставен датум',
});
