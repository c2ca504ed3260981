#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "capture/guard/redact.h"
#include "capture/risk/words.h"

namespace topodb::capture {
namespace {

template <size_t N>
bool Contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr auto kSecretWords = std::to_array<std::string_view>(
    {"token",    "secret",     "password",      "passwd",     "pwd",          "passphrase",
     "passcode", "pass",       "session",       "sessionid",  "sid",          "jwt",
     "auth",     "oauth",      "authorization", "signature",  "sig",          "hmac",
     "apikey",   "otp",        "totp",          "credential", "credentials",  "csrf",
     "xsrf",     "bearer",     "ssn",           "cvv",        "cvc",          "pin",
     "cookie",   "jsessionid", "phpsessid",     "assertion",  "samlresponse", "samlrequest",
     "nonce",    "sess",       "authenticity",  "cfid"});
constexpr auto kSecretSuffixes =
    std::to_array<std::string_view>({"token", "secret", "password", "passwd", "signature", "apikey",
                                     "sessionid", "sessid", "authkey"});
// "code" and "key" are secrets unless the word before says what kind of harmless one it is.
constexpr auto kHarmlessKinds = std::to_array<std::string_view>(
    {"country",  "zip",     "post",    "postal", "area",      "lang",    "language",
     "currency", "locale",  "error",   "status", "exit",      "color",   "colour",
     "product",  "item",    "promo",   "region", "state",     "city",    "sort",
     "order",    "primary", "foreign", "group",  "partition", "sku",     "source",
     "airport",  "dial",    "tax",     "qr",     "bar",       "response"});

}  // namespace

bool IsSecretKey(std::string_view name) {
  const auto words = SplitWords(name.substr(0, 256), CaseSplit::kOn);
  std::string joined;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    joined += word;
    if (Contains(kSecretWords, word)) return true;
    const bool qualified = i > 0 && Contains(kHarmlessKinds, words[i - 1].text);
    if ((word == "code" || word == "key") && i + 1 == words.size() && !qualified) return true;
  }
  if (Contains(kSecretWords, joined)) return true;
  return std::any_of(kSecretSuffixes.begin(), kSecretSuffixes.end(), [&](std::string_view suffix) {
    return joined.size() >= suffix.size() &&
           std::string_view(joined).substr(joined.size() - suffix.size()) == suffix;
  });
}

namespace {

// Controls that hold no typed text.
constexpr auto kNoTextTypes =
    std::to_array<std::string_view>({"checkbox", "radio", "button", "submit", "reset", "image",
                                     "range", "color", "file", "hidden"});

constexpr auto kSecretFieldWords =
    std::to_array<std::string_view>({"password", "passwd", "pwd", "passphrase", "passcode", "otp",
                                     "totp", "cvv", "cvc", "csc", "ssn"});

// Runs of folded words, joined: what names and labels of secret fields contain.
constexpr auto kSecretFieldPhrases = std::to_array<std::string_view>({"onetimecode",
                                                                      "onetimepassword",
                                                                      "verificationcode",
                                                                      "securitycode",
                                                                      "authenticationcode",
                                                                      "authcode",
                                                                      "smscode",
                                                                      "mfacode",
                                                                      "2facode",
                                                                      "twofactorcode",
                                                                      "cardnumber",
                                                                      "cardno",
                                                                      "creditcard",
                                                                      "debitcard",
                                                                      "ccnumber",
                                                                      "ccnum",
                                                                      "ccexp",
                                                                      "cardexpiry",
                                                                      "cardcode",
                                                                      "cardcvc",
                                                                      "accesstoken",
                                                                      "apitoken",
                                                                      "apikey",
                                                                      "secretkey",
                                                                      "pincode",
                                                                      "passwort",
                                                                      "kennwort",
                                                                      "kartennummer",
                                                                      "kreditkarte",
                                                                      "prüfziffer",
                                                                      "motdepasse",
                                                                      "numérodecarte",
                                                                      "codedesécurité",
                                                                      "codedevérification",
                                                                      "contraseña",
                                                                      "númerodetarjeta",
                                                                      "códigodeseguridad",
                                                                      "códigodeverificación",
                                                                      "senha",
                                                                      "númerodocartão",
                                                                      "numerodicarta",
                                                                      "numerodellacarta",
                                                                      "codicedisicurezza",
                                                                      "пароль",
                                                                      "номеркарты",
                                                                      "кодподтверждения",
                                                                      "şifre",
                                                                      "parola",
                                                                      "kartnumarası",
                                                                      "wachtwoord",
                                                                      "kaartnummer",
                                                                      "hasło",
                                                                      "numerkarty",
                                                                      "पासवर्ड",
                                                                      "كلمةالمرور",
                                                                      "كلمةالسر",
                                                                      "رقمالبطاقة",
                                                                      "رمزالتحقق"});
constexpr auto kSecretFieldDense = std::to_array<std::string_view>(
    {"密码", "密碼", "口令", "验证码", "驗證碼", "卡号", "卡號", "安全码", "パスワード", "暗証番号",
     "認証コード", "カード番号", "セキュリティコード", "비밀번호", "인증번호", "카드번호"});

std::vector<std::string> FoldedPhrases() {
  std::vector<std::string> folded;
  for (const auto phrase : kSecretFieldPhrases) folded.push_back(FoldWord(phrase));
  for (const auto phrase : kSecretFieldDense) folded.push_back(FoldWord(phrase));
  return folded;
}

bool NamesSecret(std::string_view text) {
  static const std::vector<std::string> phrases = FoldedPhrases();
  std::string joined;
  for (const auto& word : SplitWords(text.substr(0, 512), CaseSplit::kOn)) {
    if (Contains(kSecretFieldWords, word.text)) return true;
    joined += word.text;
  }
  return std::any_of(phrases.begin(), phrases.end(), [&joined](const std::string& phrase) {
    return joined.find(phrase) != std::string::npos;
  });
}

bool IsSecretAutocomplete(std::string_view autocomplete) {
  for (const auto& word : SplitWords(autocomplete, CaseSplit::kOff)) {
    if (word.text == "cc" || word.text == "password") return true;
  }
  const auto folded = FoldWord(autocomplete);
  return folded.find("one-time-code") != std::string::npos;
}

}  // namespace

bool IsSecretField(const FieldFacts& field) {
  const auto type = FoldWord(field.input_type);
  if (type == "password") return true;
  if (Contains(kNoTextTypes, type)) return false;
  return IsSecretAutocomplete(field.autocomplete) || NamesSecret(field.name) ||
         NamesSecret(field.id) || NamesSecret(field.label);
}

}  // namespace topodb::capture
