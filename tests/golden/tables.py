"""The textbooks' tables, as literal data.

In: nothing. Out: one `Table` per example.
"""

import numpy as np

from tests.golden.table import Table, read

# Zhou, Machine Learning, table 4.1 (data set 2.0).
WATERMELON_20 = read(
    """
色泽,根蒂,敲声,纹理,脐部,触感,好瓜
青绿,蜷缩,浊响,清晰,凹陷,硬滑,是
乌黑,蜷缩,沉闷,清晰,凹陷,硬滑,是
乌黑,蜷缩,浊响,清晰,凹陷,硬滑,是
青绿,蜷缩,沉闷,清晰,凹陷,硬滑,是
浅白,蜷缩,浊响,清晰,凹陷,硬滑,是
青绿,稍蜷,浊响,清晰,稍凹,软粘,是
乌黑,稍蜷,浊响,稍糊,稍凹,软粘,是
乌黑,稍蜷,浊响,清晰,稍凹,硬滑,是
乌黑,稍蜷,沉闷,稍糊,稍凹,硬滑,否
青绿,硬挺,清脆,清晰,平坦,软粘,否
浅白,硬挺,清脆,模糊,平坦,硬滑,否
浅白,蜷缩,浊响,模糊,平坦,软粘,否
青绿,稍蜷,浊响,稍糊,凹陷,硬滑,否
浅白,稍蜷,沉闷,稍糊,凹陷,硬滑,否
乌黑,稍蜷,浊响,清晰,稍凹,软粘,否
浅白,蜷缩,浊响,模糊,平坦,硬滑,否
青绿,蜷缩,沉闷,稍糊,稍凹,硬滑,否
"""
)

# Zhou, table 4.3 (data set 3.0): 2.0 with density and sugar.
WATERMELON_30 = read(
    """
色泽,根蒂,敲声,纹理,脐部,触感,密度,含糖率,好瓜
青绿,蜷缩,浊响,清晰,凹陷,硬滑,0.697,0.460,是
乌黑,蜷缩,沉闷,清晰,凹陷,硬滑,0.774,0.376,是
乌黑,蜷缩,浊响,清晰,凹陷,硬滑,0.634,0.264,是
青绿,蜷缩,沉闷,清晰,凹陷,硬滑,0.608,0.318,是
浅白,蜷缩,浊响,清晰,凹陷,硬滑,0.556,0.215,是
青绿,稍蜷,浊响,清晰,稍凹,软粘,0.403,0.237,是
乌黑,稍蜷,浊响,稍糊,稍凹,软粘,0.481,0.149,是
乌黑,稍蜷,浊响,清晰,稍凹,硬滑,0.437,0.211,是
乌黑,稍蜷,沉闷,稍糊,稍凹,硬滑,0.666,0.091,否
青绿,硬挺,清脆,清晰,平坦,软粘,0.243,0.267,否
浅白,硬挺,清脆,模糊,平坦,硬滑,0.245,0.057,否
浅白,蜷缩,浊响,模糊,平坦,软粘,0.343,0.099,否
青绿,稍蜷,浊响,稍糊,凹陷,硬滑,0.639,0.161,否
浅白,稍蜷,沉闷,稍糊,凹陷,硬滑,0.657,0.198,否
乌黑,稍蜷,浊响,清晰,稍凹,软粘,0.360,0.370,否
浅白,蜷缩,浊响,模糊,平坦,硬滑,0.593,0.042,否
青绿,蜷缩,沉闷,稍糊,稍凹,硬滑,0.719,0.103,否
""",
    numbers=(
        "密度",
        "含糖率",
    ),
)

# Li Hang, Statistical Learning Methods, table 5.1.
LOAN = read(
    """
年龄,有工作,有自己的房子,信贷情况,类别
青年,否,否,一般,否
青年,否,否,好,否
青年,是,否,好,是
青年,是,是,一般,是
青年,否,否,一般,否
中年,否,否,一般,否
中年,否,否,好,否
中年,是,是,好,是
中年,否,是,非常好,是
中年,否,是,非常好,是
老年,否,是,非常好,是
老年,否,是,好,是
老年,是,否,好,是
老年,是,否,非常好,是
老年,否,否,一般,否
"""
)

# Li Hang, table 5.2.
LIHANG_52 = read(
    """
x,y
1,4.50
2,4.75
3,4.91
4,5.34
5,5.80
6,7.05
7,7.90
8,8.23
9,8.70
10,9.00
""",
    numbers=(
        "x",
        "y",
    ),
)

# Li Hang, example 8.2.
LIHANG_82 = read(
    """
x,y
1,5.56
2,5.70
3,5.91
4,6.40
5,6.80
6,7.05
7,8.90
8,8.70
9,9.00
10,9.05
""",
    numbers=(
        "x",
        "y",
    ),
)

# Quinlan, the golf table as C4.5 ships it.
GOLF = read(
    """
outlook,temperature,humidity,windy,class
sunny,85,85,false,Don't Play
sunny,80,90,true,Don't Play
overcast,83,78,false,Play
rain,70,96,false,Play
rain,68,80,false,Play
rain,65,70,true,Don't Play
overcast,64,65,true,Play
sunny,72,95,false,Don't Play
sunny,69,70,false,Play
rain,75,80,false,Play
sunny,75,70,true,Play
overcast,72,90,true,Play
overcast,81,75,false,Play
rain,71,80,true,Don't Play
""",
    numbers=(
        "temperature",
        "humidity",
    ),
)

# The golf table as Weka ships it: two humidity cells differ from Quinlan's.
WEATHER_NUMERIC = read(
    """
outlook,temperature,humidity,windy,play
sunny,85,85,FALSE,no
sunny,80,90,TRUE,no
overcast,83,86,FALSE,yes
rainy,70,96,FALSE,yes
rainy,68,80,FALSE,yes
rainy,65,70,TRUE,no
overcast,64,65,TRUE,yes
sunny,72,95,FALSE,no
sunny,69,70,FALSE,yes
rainy,75,80,FALSE,yes
sunny,75,70,TRUE,yes
overcast,72,90,TRUE,yes
overcast,81,75,FALSE,yes
rainy,71,91,TRUE,no
""",
    numbers=(
        "temperature",
        "humidity",
    ),
)

# Quinlan 1986, the same days in words.
WEATHER_NOMINAL = read(
    """
outlook,temperature,humidity,windy,play
sunny,hot,high,FALSE,no
sunny,hot,high,TRUE,no
overcast,hot,high,FALSE,yes
rainy,mild,high,FALSE,yes
rainy,cool,normal,FALSE,yes
rainy,cool,normal,TRUE,no
overcast,cool,normal,TRUE,yes
sunny,mild,high,FALSE,no
sunny,cool,normal,FALSE,yes
rainy,mild,normal,FALSE,yes
sunny,mild,normal,TRUE,yes
overcast,mild,high,TRUE,yes
overcast,hot,normal,FALSE,yes
rainy,mild,high,TRUE,no
"""
)

# Han and Kamber.
BUYS_COMPUTER = read(
    """
age,income,student,credit_rating,buys_computer
<=30,high,no,fair,no
<=30,high,no,excellent,no
31..40,high,no,fair,yes
>40,medium,no,fair,yes
>40,low,yes,fair,yes
>40,low,yes,excellent,no
31..40,low,yes,excellent,yes
<=30,medium,no,fair,no
<=30,low,yes,fair,yes
>40,medium,yes,fair,yes
<=30,medium,yes,excellent,yes
31..40,medium,no,excellent,yes
31..40,high,yes,fair,yes
>40,medium,no,excellent,no
"""
)

# Russell and Norvig; the category None is a word.
RESTAURANT = read(
    """
Alternate,Bar,Fri/Sat,Hungry,Patrons,Price,Raining,Reservation,Type,WaitEstimate,WillWait
Yes,No,No,Yes,Some,$$$,No,Yes,French,0-10,Yes
Yes,No,No,Yes,Full,$,No,No,Thai,30-60,No
No,Yes,No,No,Some,$,No,No,Burger,0-10,Yes
Yes,No,Yes,Yes,Full,$,No,No,Thai,10-30,Yes
Yes,No,Yes,No,Full,$$$,No,Yes,French,>60,No
No,Yes,No,Yes,Some,$$,Yes,Yes,Italian,0-10,Yes
No,Yes,No,No,None,$,Yes,No,Burger,0-10,No
No,No,No,Yes,Some,$$,Yes,Yes,Thai,0-10,Yes
No,Yes,Yes,No,Full,$,Yes,No,Burger,>60,No
Yes,Yes,Yes,Yes,Full,$$$,No,Yes,Italian,10-30,No
No,No,No,No,None,$,No,No,Thai,0-10,No
Yes,Yes,Yes,Yes,Full,$,No,No,Burger,30-60,Yes
"""
)

# Tan, Steinbach and Kumar.
TAN_CHEAT = read(
    """
Refund,MaritalStatus,TaxableIncome,Cheat
Yes,Single,125,No
No,Married,100,No
No,Single,70,No
Yes,Married,120,No
No,Divorced,95,Yes
No,Married,60,No
Yes,Divorced,220,No
No,Single,85,Yes
No,Married,75,No
No,Single,90,Yes
""",
    numbers=("TaxableIncome",),
)

# Quinlan 1983.
HAIR_EYES = read(
    """
height,hair,eyes,class
short,blond,blue,+
tall,blond,brown,-
tall,red,blue,+
short,dark,blue,-
tall,dark,blue,-
tall,blond,blue,+
tall,dark,brown,-
short,blond,brown,-
"""
)

# Cendrowska, as Weka ships it.
CONTACT_LENSES = read(
    """
age,spectacle-prescrip,astigmatism,tear-prod-rate,contact-lenses
young,myope,no,reduced,none
young,myope,no,normal,soft
young,myope,yes,reduced,none
young,myope,yes,normal,hard
young,hypermetrope,no,reduced,none
young,hypermetrope,no,normal,soft
young,hypermetrope,yes,reduced,none
young,hypermetrope,yes,normal,hard
pre-presbyopic,myope,no,reduced,none
pre-presbyopic,myope,no,normal,soft
pre-presbyopic,myope,yes,reduced,none
pre-presbyopic,myope,yes,normal,hard
pre-presbyopic,hypermetrope,no,reduced,none
pre-presbyopic,hypermetrope,no,normal,soft
pre-presbyopic,hypermetrope,yes,reduced,none
pre-presbyopic,hypermetrope,yes,normal,none
presbyopic,myope,no,reduced,none
presbyopic,myope,no,normal,none
presbyopic,myope,yes,reduced,none
presbyopic,myope,yes,normal,hard
presbyopic,hypermetrope,no,reduced,none
presbyopic,hypermetrope,no,normal,soft
presbyopic,hypermetrope,yes,reduced,none
presbyopic,hypermetrope,yes,normal,none
"""
)

# Zhou, data set 3.0 alpha: the two numbers of 3.0 only.
WATERMELON_30A = Table(("密度", "含糖率", "好瓜"), tuple(tuple(row[6:]) for row in WATERMELON_30.rows))

# Zhou, table 4.4 (data set 2.0 alpha): 2.0 with 13 missing cells.
WATERMELON_20A = WATERMELON_20.without(
    色泽=(1, 5, 13), 根蒂=(9, 17), 敲声=(3, 12), 纹理=(8, 10), 脐部=(6, 15), 触感=(2, 11)
)

# Quinlan 1993, section on unknown values: the golf table with the outlook of case 12 unknown.
GOLF_12 = GOLF.without(outlook=(12,))

# Mingers 1987, the ten leaves of his figure 1: counts of 1st, 2.1, 2.2, 3rd, fail.
MINGERS = np.array(
    [
        [1, 0, 3, 0, 0],
        [0, 0, 14, 0, 0],
        [0, 3, 8, 2, 0],
        [0, 3, 18, 2, 0],
        [0, 1, 0, 2, 0],
        [0, 0, 3, 0, 0],
        [1, 9, 15, 0, 0],
        [0, 7, 2, 1, 0],
        [0, 1, 11, 2, 0],
        [1, 0, 2, 0, 0],
    ]
)

CSV = {
    "watermelon20": WATERMELON_20,
    "watermelon30": WATERMELON_30,
    "loan": LOAN,
    "lihang_52": LIHANG_52,
    "lihang_82": LIHANG_82,
    "golf": GOLF,
    "weather_numeric": WEATHER_NUMERIC,
    "weather_nominal": WEATHER_NOMINAL,
    "buys_computer": BUYS_COMPUTER,
    "aima_restaurant": RESTAURANT,
    "tan_cheat": TAN_CHEAT,
    "quinlan_hair_eyes": HAIR_EYES,
    "contact_lenses": CONTACT_LENSES,
    "watermelon30a": WATERMELON_30A,
    "watermelon20a": WATERMELON_20A,
}
"""The name of each table among the reference data."""
