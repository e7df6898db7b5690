/** Logs in other languages than English. */
import { clock, folder, hex, lines, noun, type Output, stamp, text } from "./kit";

const chinese = (): Output => ({
  name: "a log in Chinese",
  stdout: text(
    lines(
      400,
      n => `${stamp(n)} [工作线程-${n % 8}] 信息 订单 ${4000 + n} 已送达仓库 ${folder(n)}，耗时 ${n % 90} 毫秒`,
    ),
    `${stamp(401)} [工作线程-3] 连接数据库被拒绝：10.4.0.12:5432，用户 shop`,
    lines(
      300,
      n => `${stamp(n + 401)} [工作线程-${n % 8}] 信息 订单 ${4400 + n} 已送达仓库 ${folder(n)}，耗时 ${n % 90} 毫秒`,
    ),
    `${stamp(702)} [工作线程-5] 发票 4711 生成失败：税率未定义`,
    `${stamp(703)} [工作线程-5] 找不到文件 /srv/shop/模板/发票.html`,
    lines(
      300,
      n => `${stamp(n + 703)} [工作线程-${n % 8}] 信息 订单 ${4700 + n} 已送达仓库 ${folder(n)}，耗时 ${n % 90} 毫秒`,
    ),
  ),
  matters: [
    "连接数据库被拒绝：10.4.0.12:5432",
    "发票 4711 生成失败：税率未定义",
    "找不到文件 /srv/shop/模板/发票.html",
  ],
});

const german = (): Output => ({
  name: "a log in German",
  stdout: text(
    lines(350, n => `${clock(n)} Bestellung ${4000 + n} wurde an das Lager ${folder(n)} übergeben (${n % 90} ms)`),
    `${clock(351)} Der Zugriff auf /srv/shop/rechnungen wurde verweigert`,
    lines(
      250,
      n => `${clock(n + 351)} Bestellung ${4350 + n} wurde an das Lager ${folder(n)} übergeben (${n % 90} ms)`,
    ),
    `${clock(602)} Rechnung 4711 konnte nicht erstellt werden: Steuersatz fehlt`,
    `${clock(603)} Verbindung zu datenbank.acme.test:5432 fehlgeschlagen`,
    lines(
      250,
      n => `${clock(n + 603)} Bestellung ${4600 + n} wurde an das Lager ${folder(n)} übergeben (${n % 90} ms)`,
    ),
  ),
  matters: [
    "/srv/shop/rechnungen wurde verweigert",
    "Rechnung 4711 konnte nicht erstellt werden",
    "datenbank.acme.test:5432 fehlgeschlagen",
  ],
});

const french = (): Output => ({
  name: "a log in French",
  stdout: text(
    lines(350, n => `${clock(n)} La commande ${4000 + n} est partie vers l'entrepôt ${folder(n)} (${n % 90} ms)`),
    `${clock(351)} Accès refusé à /srv/shop/factures`,
    lines(250, n => `${clock(n + 351)} La commande ${4350 + n} est partie vers l'entrepôt ${folder(n)} (${n % 90} ms)`),
    `${clock(602)} La facture 4711 n'a pas pu être créée : taux de TVA introuvable`,
    `${clock(603)} Échec de la connexion à base.acme.test:5432`,
    lines(250, n => `${clock(n + 603)} La commande ${4600 + n} est partie vers l'entrepôt ${folder(n)} (${n % 90} ms)`),
  ),
  matters: ["Accès refusé à /srv/shop/factures", "La facture 4711 n'a pas pu être créée", "Échec de la connexion"],
});

const japanese = (): Output => ({
  name: "a log in Japanese",
  stdout: text(
    lines(350, n => `${stamp(n)} 情報: 注文 ${4000 + n} を倉庫 ${folder(n)} に送りました (${n % 90} ミリ秒)`),
    `${stamp(351)} 請求書 4711 の作成に失敗しました: 税率が見つかりません`,
    lines(350, n => `${stamp(n + 351)} 情報: 注文 ${4350 + n} を倉庫 ${folder(n)} に送りました (${n % 90} ミリ秒)`),
    `${stamp(702)} データベース 10.4.0.12:5432 への接続が拒否されました`,
    lines(350, n => `${stamp(n + 702)} 情報: 注文 ${4700 + n} を倉庫 ${folder(n)} に送りました (${n % 90} ミリ秒)`),
  ),
  matters: ["請求書 4711 の作成に失敗しました", "への接続が拒否されました"],
});

const russian = (): Output => ({
  name: "a log in Russian",
  stdout: text(
    lines(350, n => `${stamp(n)} Заказ ${4000 + n} передан на склад ${folder(n)} (${n % 90} мс)`),
    `${stamp(351)} Не удалось создать счёт 4711: ставка налога не найдена`,
    lines(350, n => `${stamp(n + 351)} Заказ ${4350 + n} передан на склад ${folder(n)} (${n % 90} мс)`),
    `${stamp(702)} Отказано в доступе к /srv/shop/${noun(3)}/${hex(7, 6)}`,
    lines(350, n => `${stamp(n + 702)} Заказ ${4700 + n} передан на склад ${folder(n)} (${n % 90} мс)`),
  ),
  matters: ["Не удалось создать счёт 4711", "Отказано в доступе"],
});

export const languages = (): Output[] => [chinese(), german(), french(), japanese(), russian()];
