/**
 * Secrets as people, programs and files spell them. Pieces are joined at run time, so that no scanner finds one in this
 * file; none was ever real.
 */
export interface SpokenSecret {
  kind: string;
  /** Where such a secret is met. */
  where: 'prose' | 'output' | 'command' | 'file' | 'broken';
  /** What must not be left of it: all of it, or each piece where a line break cuts it. */
  secrets: readonly string[];
  text: string;
}

const joined = (...parts: string[]) => parts.join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const of = (where: SpokenSecret['where'], kind: string, secret: string | readonly string[], text: string) => ({
  kind,
  where,
  secrets: typeof secret === 'string' ? [secret] : secret,
  text,
});

const awsSecret = joined('wJ4lrXUtnFEMI/', 'K7MDENG/bPxRfi', 'CYzEXAMPLE9y');
const awsId = joined('AK', 'IA', 'Q7MTX3LP2RVB5NWC');
const ya29 = joined('ya', '29.', 'a0AfB_byCx7Kq9mTx7Lp2RvB5nWc8YdF1hJs6GtE4u');
const refresh = joined('1/', '/0', 'gK3x9QmTzLp2RvB5nWc8YdF1hJs6GtE4uPq');
const github = joined('gh', 'p_', 'aZ3kQ9mTx7Lp2RvB5nWc8YdF1hJs6GtE4uXy');
const anthropic = joined('sk', '-ant-', 'api03-', 'Kq9mTx7Lp2RvB5nWc8YdF1hJs6GtE4u', 'aZ3kQ9mTx7Lp2RvB5nWc8YdF1hJs');

/** Written while the rules were. */
export const developed: readonly SpokenSecret[] = [
  of('prose', 'spoken', 'Tr0ub4dor&3', 'Log in as sam, pass: Tr0ub4dor&3, then restart.'),
  of('prose', 'spoken', 'hunter2', 'The password is hunter2.'),
  of('prose', 'spoken', 'tangerine', 'the password for the staging database is tangerine'),
  of(
    'prose',
    'spoken',
    'correct horse battery staple',
    'The passphrase is "correct horse battery staple", all lower case.',
  ),
  of('prose', 'spoken', 'kestrel77!', 'I set the password to kestrel77! yesterday.'),
  of('prose', 'reversed', 'W1nterk0ning', 'W1nterk0ning is the password of the old box.'),
  of('prose', 'spanish', 'Luna*2291', 'La contraseña de la base de datos es Luna*2291.'),
  of('prose', 'spanish', 'verano2024', 'contraseña: verano2024'),
  of('prose', 'chinese', 'Qing8chun', '数据库的密码是Qing8chun，不要外传。'),
  of('prose', 'chinese', 'lanse9966', '密码：lanse9966'),
  of('prose', 'german', 'Sommer2024!', 'Das Passwort für den Server lautet Sommer2024!'),
  of('prose', 'german', 'blaubeere', 'Kennwort: blaubeere'),
  of('prose', 'french', 'Jardin#88', 'Le mot de passe de la base est Jardin#88.'),
  of('prose', 'french', 'soleil42', 'mdp : soleil42'),
  of('prose', 'aws-secret', awsSecret, `For the bucket the AWS secret is ${awsSecret} and the region is eu-west-1.`),
  of('prose', 'login', 'zebra9!x', 'You can use the login admin / zebra9!x on staging.'),
  of('command', 'curl', 's3cr3tpw', 'curl -s -u deploy:s3cr3tpw https://ci.example.org/api'),
  of('command', 'sshpass', 'Raven!19', "sshpass -p 'Raven!19' ssh root@10.0.0.5 uptime"),
  of('command', 'mysql', 'rootpw1', 'mysql -h db -u root -prootpw1 shop -e "select 1"'),
  of('command', 'flag', 'tangerine', 'createuser --name sam --password tangerine'),
  of('command', 'environment', 'pgpw', 'PGPASSWORD=pgpw123x psql -h db'),
  of('command', 'docker', 'dck3rpw', 'docker login -u sam -p dck3rpw registry.example.org'),
  of('command', 'redis', 'r3dispw', 'redis-cli -h cache -a r3dispw ping'),
  of('command', 'standard-input', 'sud0pw', "echo 'sud0pw' | sudo -S systemctl restart nginx"),
  of('file', 'environment', 'mysecretpassword', 'POSTGRES_USER=app\nPOSTGRES_PASSWORD=mysecretpassword\nPORT=5432'),
  of('file', 'environment', 'pa55w0rd', 'DB_PASS=pa55w0rd'),
  of('file', 'yaml', 'tangerine', 'database:\n  user: app\n  pwd: tangerine\n'),
  of('file', 'npmrc', 'bnBtOnNlY3JldHB3', '//registry.example.org/:_auth=bnBtOnNlY3JldHB3\nalways-auth=true'),
  of('file', 'netrc', 'netpw9', 'machine api.example.org login sam password netpw9'),
  of(
    'file',
    'docker-auth',
    base64('sam:dock3rhub'),
    `{"auths": {"index.docker.io": {"auth": "${base64('sam:dock3rhub')}"}}}`,
  ),
  of(
    'file',
    'kubernetes',
    base64('tangerine'),
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  url: ${base64('tangerine')}\n`,
  ),
  of(
    'file',
    'htpasswd',
    joined('$apr', '1$x7Yq2Lp9$', 'kQ3mTx7Lp2RvB5nWc8YdF1'),
    joined('sam:$apr', '1$x7Yq2Lp9$', 'kQ3mTx7Lp2RvB5nWc8YdF1'),
  ),
  of(
    'file',
    'connection-string',
    'P@ss;w'.slice(0, 4),
    'Server=db;Database=shop;User Id=sa;Password=P@ssw0rd;Encrypt=true',
  ),
  of('file', 'php', 'l0calpw', "define('DB_PASSWORD', 'l0calpw');"),
  of('output', 'google-access', ya29, `access token ${ya29} expires in 3599`),
  of('output', 'google-refresh', refresh, `{"refresh_token": "${refresh}"}\nand again ${refresh}`),
  of('output', 'cookie', 'x7Yq2Lp9kQ3mTx7Lp2Rv', 'set-cookie: sid=x7Yq2Lp9kQ3mTx7Lp2Rv; Path=/; HttpOnly'),
  of(
    'broken',
    'broken-token',
    [github.slice(0, 18), github.slice(18)],
    `The token: ${github.slice(0, 18)}\n${github.slice(18)}\nand on.`,
  ),
  of(
    'broken',
    'broken-token',
    [anthropic.slice(0, 40), anthropic.slice(40)],
    `key ${anthropic.slice(0, 40)}\n    ${anthropic.slice(40)} is new`,
  ),
  of('broken', 'broken-name', 'hunter2', 'The password is\nhunter2'),
  of('broken', 'broken-flag', 'Kestrel9', 'app login --user sam --password \\\n  Kestrel9 --quiet'),
  of(
    'broken',
    'broken-value',
    [awsSecret.slice(0, 21), awsSecret.slice(21)],
    `aws_secret_access_key = ${awsSecret.slice(0, 21)}\n${awsSecret.slice(21)}\n`,
  ),
  of('output', 'aws-pair', [awsId, awsSecret], `created ${awsId}\n${awsSecret}\n`),
];

const jwt = joined(
  'ey',
  'JhbGciOiJIUzI1NiJ9',
  '.ey',
  'JzdWIiOiJzYW0iLCJpYXQiOjE3fQ',
  '.',
  'kQ3mTx7Lp2RvB5nWc8YdF1hJs6GtE4u',
);
const stripe = joined('sk', '_live_', '51Kq9mTx7Lp2RvB5nWc8YdF1');
const openai = joined('sk', '-proj-', 'Kq9mTx7Lp2RvB5nWc8YdF1hJs6GtE4uaZ3kQ9mTx7');
const slack = joined('xo', 'xb-', '730194826573-', '7301948265730-', 'Kq9mTx7Lp2RvB5nWc8YdF1hJ');
const gitlab = joined('gl', 'pat-', 'Kq9mTx7Lp2RvB5nWc8Yd');
const discord = joined('MTk4NjIyNDgzNDcxOTI1MjQ4', '.Cl2FMQ.', 'ZnCjm1XVW7vRze4b7Cq4se7kKWs9');
const azure = joined('xYz', '8Q~', 'Kq9mTx7Lp2RvB5nWc8YdF1hJs6GtE4uaZ3');
const hex = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';

/** Written when the rules were done, before they were tried on it. */
export const sealed: readonly SpokenSecret[] = [
  of('prose', 'spoken', 'Pelican_48', 'ok so the root pw is Pelican_48 on both machines'),
  of('prose', 'spoken', 'dragonfly', "The admin's password is `dragonfly` until Monday."),
  of('prose', 'spoken', 'Blue$Moon7', 'Please sign in with user jo and password Blue$Moon7, the second factor is off.'),
  of(
    'prose',
    'spoken',
    'n0rthwind',
    'I changed the db password from the default to n0rthwind, please update your .env',
  ),
  of('prose', 'pin', '482913', 'The passcode is 482913.'),
  of('prose', 'login', 'rosebud11', 'Credentials: maria/rosebud11 (read only)'),
  of('prose', 'spanish', 'Gato_Negro5', 'Usa la clave Gato_Negro5 para entrar.'),
  of('prose', 'spanish', 'mariposa', 'La contraseña es mariposa.'),
  of('prose', 'chinese', 'Admin@8800', '登录用户名是root，口令为Admin@8800'),
  of('prose', 'german', 'Eichh0rn', 'Bitte mit dem Passwort Eichh0rn anmelden.'),
  of('prose', 'german', 'Zugspitze_2962', 'Zugangsdaten: wartung / Zugspitze_2962'),
  of('prose', 'french', 'Etoile*19', "Le mot de passe pour l'environnement de test est : Etoile*19"),
  of('prose', 'api-key', hex, `our weather API key is ${hex}, it has no limit`),
  of('prose', 'bearer-token', hex, `send it as "Authorization: Bearer ${hex}"`),
  of('command', 'curl', 'pa55phrase', 'curl --user "build:pa55phrase" -X POST https://ci.example.org/job'),
  of('command', 'mysql', 'Sn0wball', "mysqldump -u backup -p'Sn0wball' shop > shop.sql"),
  of('command', 'wget', 'ftpS3cret', 'wget --ftp-user=sam --ftp-password=ftpS3cret ftp://files.example.org/a.zip'),
  of('command', 'sql', 'vi0lets', "CREATE USER app WITH ENCRYPTED PASSWORD 'vi0lets';"),
  of('command', 'sql', 'primrose', "GRANT ALL ON shop.* TO 'app'@'%' IDENTIFIED BY 'primrose';"),
  of('command', 'kubectl', 'h0neycomb', 'kubectl create secret generic db --from-literal=pw=h0neycomb -n shop'),
  of('command', 'ldap', 'ld4ppw', 'ldapsearch -x -D cn=admin,dc=example -w ld4ppw -b dc=example'),
  of(
    'command',
    'header',
    joined('a1b2c3d4', 'e5f6a7b8'),
    `curl -H 'X-Api-Key: ${joined('a1b2c3d4', 'e5f6a7b8')}' https://api.example.org`,
  ),
  of('command', 'openssl', 'c0balt', 'openssl enc -aes-256-cbc -pass pass:c0balt9 -in a -out b'),
  of('command', 'zip', 'arch1ve', 'unzip -P arch1ve backup.zip'),
  of(
    'file',
    'xml',
    'mvnS3cret',
    '<server>\n  <id>releases</id>\n  <username>ci</username>\n  <password>mvnS3cret</password>\n</server>',
  ),
  of('file', 'properties', 'springtime', 'spring.datasource.username=app\nspring.datasource.password=springtime\n'),
  of('file', 'json', 'quicksilver', '{"host": "db", "user": "app", "password": "quicksilver"}'),
  of('file', 'django', joined('k3y-', 'x9qz7w', '-abc!d2'), `SECRET_KEY = '${joined('k3y-', 'x9qz7w', '-abc!d2')}'`),
  of('file', 'pgpass', 'pgW0rd', 'db.example.org:5432:shop:app:pgW0rd'),
  of('file', 'jdbc', 'jdbcPw1', 'url = jdbc:postgresql://db/shop?user=app&password=jdbcPw1&ssl=true'),
  of(
    'file',
    'wireguard',
    joined('yAnz5TF+', 'lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk', '='),
    `[Interface]\nPrivateKey = ${joined('yAnz5TF+', 'lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk', '=')}\n`,
  ),
  of('file', 'wifi', 'netzwerk77', 'network={\n  ssid="home"\n  psk="netzwerk77"\n}'),
  of('file', 'url-password', 'r4bbit', 'amqp://svc:r4bbit@mq.example.org:5672/%2f'),
  of('output', 'jwt', jwt, `{"id_token":"${jwt}"}`),
  of('output', 'stripe', stripe, `Using ${stripe} for charges`),
  of('output', 'slack', slack, `SLACK ${slack} ok`),
  of('output', 'gitlab', gitlab, `Token created: ${gitlab}`),
  of('output', 'discord', discord, `client.login("${discord}")`),
  of('output', 'azure', azure, `"appId": "1", "password": "${azure}", "tenant": "2"`),
  of(
    'output',
    'session',
    joined('Kq9mTx7L', 'p2RvB5nWc8Yd'),
    `PHPSESSID=${joined('Kq9mTx7L', 'p2RvB5nWc8Yd')}; path=/`,
  ),
  of(
    'broken',
    'broken-token',
    [openai.slice(0, 22), openai.slice(22)],
    `export K=${openai.slice(0, 22)}\\\n${openai.slice(22)}`,
  ),
  of('broken', 'broken-token', [jwt.slice(0, 50), jwt.slice(50)], `> ${jwt.slice(0, 50)}\n> ${jwt.slice(50)}\n`),
  of('broken', 'broken-name', 'Qu1cksand', 'Passwort:\n  Qu1cksand\n'),
];

const zeroWidth = '\u200B';
const softHyphen = '\u00AD';

/** Added for forms and languages in which secrets stayed. */
export const added: readonly SpokenSecret[] = [
  of('prose', 'spoken', 'Hunter2299', 'The password for the staging database: Hunter2299'),
  of('prose', 'german', 'Himbeere44', 'Passwort für den Server: Himbeere44'),
  of('file', 'french', 'Cerise4471', 'MOT_DE_PASSE=Cerise4471'),
  of('file', 'french', 'Cerise4472', 'APP_MOT_DE_PASSE: Cerise4472'),
  of('file', 'french', 'Framboise22', 'MOT_DE_PASSE_BDD=Framboise22'),
  of('file', 'spanish', 'Fresa4473xyz', 'CLAVE_API=Fresa4473xyz'),
  of('file', 'portuguese', 'Morango4477', 'SENHA=Morango4477'),
  of('prose', 'portuguese', 'Morango4478', 'senha do banco: Morango4478'),
  of('prose', 'portuguese', 'Morango4479', 'A senha do servidor é Morango4479.'),
  of('prose', 'italian', 'Fragola4485', "La parola d'ordine è Fragola4485."),
  of('file', 'italian', 'Fragola4486', 'parola: Fragola4486'),
  of('file', 'dutch', 'Aardbei4483', 'wachtwoord=Aardbei4483'),
  of('prose', 'dutch', 'Aardbei4484', 'Het wachtwoord voor de server is Aardbei4484.'),
  of('file', 'polish', 'Truskawka4482', 'HASLO=Truskawka4482'),
  of('prose', 'polish', 'Jablko778899', 'hasło: Jablko778899'),
  of('file', 'russian', 'Klubnika4479', 'ПАРОЛЬ=Klubnika4479'),
  of('prose', 'russian', 'Клубника4480', 'пароль: Клубника4480'),
  of('prose', 'russian', 'Kartoshka6655', 'пароль от базы Kartoshka6655'),
  of('file', 'japanese', 'Ichigo4481', 'パスワード=Ichigo4481'),
  of('prose', 'japanese', 'Budou5544xx', 'パスワードは Budou5544xx です'),
  of('prose', 'korean', 'Ttalgi4484', '비밀번호: Ttalgi4484'),
  of('prose', 'korean', 'Ttalgi4485', '서버 비밀번호는 Ttalgi4485 입니다'),
  of('prose', 'other-language', 'Kruska7766', 'lozinka: Kruska7766'),
  of('prose', 'other-language', 'Hallon5566', 'Lösenord: Hallon5566'),
  of('file', 'jdbc', 'Tigre4475', 'jdbc:oracle:thin:app/Tigre4475@//h:1521/x'),
  of('command', 'rclone', 'Weissdorn0088', 'rclone obscure Weissdorn0088'),
  of('prose', 'invisible', 'Radieschen1122', `p${zeroWidth}assword: Radieschen1122`),
  of('prose', 'invisible', 'Chicoree1122', `pass${softHyphen}word: Chicoree1122`),
  of('prose', 'invisible', `Chi${softHyphen}coree1123`, `password: Chi${softHyphen}coree1123`),
  of('prose', 'full-width', 'Artischocke1122', 'ＰＡＳＳＷＯＲＤ：Artischocke1122'),
  of('prose', 'full-width', 'Ａｒｔｉｓｃｈｏｃｋｅ１１２３', 'ｐａｓｓｗｏｒｄ＝Ａｒｔｉｓｃｈｏｃｋｅ１１２３'),
];

const uuid = '0a1b2c3d-4e5f-6789-abcd-ef0123456789';

/** Added for settings whose value is not directly after its name, or whose name is one with another word. */
export const settings: readonly SpokenSecret[] = [
  of('file', 'connection-string', 'Tr0ub4dor', 'Server=db;User Id=sa;Password=Tr0ub4dor;'),
  of('file', 'connection-string', 'Tr0ub4dor', 'Password=Tr0ub4dor;'),
  of('file', 'connection-string', 'Tr0ub4dor', 'server=db;uid=sa;pwd=Tr0ub4dor;'),
  of('file', 'connection-string', 'tangerine', 'Data Source=db; Password=tangerine;'),
  of('file', 'url-password', ['aB3', 'xY9zQ7w'], 'postgres://app:aB3/xY9zQ7w@db.internal:5432/app'),
  of('file', 'url-password', ['p@ss', 'w0rd'], 'mongodb+srv://app:p@ss/w0rd@db.example.org/app'),
  of('file', 'url-password', "it's4me", "mysql://u:it's4me@h/db"),
  of(
    'command',
    'telegram',
    'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0',
    joined('curl https://api.telegram.org/bot123456789:', 'AA', 'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0/getMe'),
  ),
  of('prose', 'api-key', hex.slice(8), joined('sk', '-or-v1-', hex, hex)),
  of('prose', 'api-key', uuid.slice(9), joined('sk', `-lf-${uuid}`)),
  of('file', 'json', 'Tr0ub4dor99', '{"name":"DB_PASSWORD","value":"Tr0ub4dor99"}'),
  of('file', 'json', 'tangerine', '{ "value": "tangerine", "name": "DB_PASSWORD" }'),
  of(
    'file',
    'json',
    'Tr0ub4dor99',
    String.raw`{\"key\": \"password\", \"type\": \"text\", \"value\": \"Tr0ub4dor99\"}`,
  ),
  of('file', 'json', 'Tr0ub4dor99', '"ParameterKey": "DBPassword", "ParameterValue": "Tr0ub4dor99"'),
  of('file', 'xml', 'Tr0ub4dor99', '<add key="DbPassword" value="Tr0ub4dor99" />'),
  of('broken', 'yaml', 'Tr0ub4dor99', 'env:\n  - name: DB_PASSWORD\n    value: Tr0ub4dor99'),
  of('broken', 'yaml', 'Tr0ub4dor99', 'password: |\n  Tr0ub4dor99'),
  of('broken', 'yaml', 'tangerine', 'db_password: >-\n  tangerine\n'),
  of('broken', 'toml', 'Tr0ub4dor99', 'password = """\nTr0ub4dor99"""'),
  of('file', 'dockerfile', 'Tr0ub4dor99', 'ENV DB_PASSWORD Tr0ub4dor99'),
  of('command', 'fish', 'Tr0ub4dor99', 'set -gx API_TOKEN Tr0ub4dor99'),
  of('command', 'fish', 'Tr0ub4dor99', 'set --export --global API_TOKEN Tr0ub4dor99'),
  of('command', 'csh', 'Tr0ub4dor99', 'setenv DB_PASS Tr0ub4dor99'),
  of('command', 'setx', 'Tr0ub4dor99', 'setx API_TOKEN Tr0ub4dor99'),
  of('command', 'dotnet', 'Tr0ub4dor99', 'dotnet user-secrets set "Db:Password" "Tr0ub4dor99"'),
  of('command', 'httpie', 'Tr0ub4dor99', 'http -a sam:Tr0ub4dor99 example.org'),
  of('file', 'npmrc', uuid, `//npm.pkg.github.com/:_authToken=${uuid}`),
  of('file', 'environment', uuid, `TOKEN=${uuid}`),
  ...['DBPASS', 'MYSQLPASS', 'SMTPPASS', 'smtppass', 'DBPW', 'MYSECRET'].map((name) =>
    of('file', 'environment', 'aB3xY9zQ7w', `${name}=aB3xY9zQ7w`),
  ),
  of('file', 'environment', hex, `AZURE_OPENAI_KEY=${hex}`),
  of('file', 'environment', hex, `MAPS_KEY=${hex}`),
  of('file', 'yaml', hex, `azure_openai_key: ${hex}`),
];
